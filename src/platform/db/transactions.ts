import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { Connections } from "./connections.ts";
import type { TransactionOptions } from "./database.ts";

/** The transaction of the current chain of awaits. A nested one has a parent. */
interface Transaction {
  client: pg.PoolClient;
  parent?: Transaction;
  isUnbounded: boolean;
  /**
   * Work that nobody awaited may continue after the end. Its statements go to the parent or the
   * pool, never into another transaction.
   */
  isDone: boolean;
  /** Settles when all earlier statements have ended: a savepoint holds only its own work. */
  turn: Promise<unknown>;
}

export interface Transactions {
  readonly isActive: boolean;
  /** Runs a statement in the current transaction. @returns undefined where there is none. */
  run(statement: pg.QueryConfig): Promise<pg.QueryResult> | undefined;
  /** Runs work in a new transaction, or in a savepoint of the current one. */
  begin<T>(work: () => Promise<T>, options: TransactionOptions): Promise<T>;
}

export function createTransactions(connections: Connections): Transactions {
  const storage = new AsyncLocalStorage<Transaction>();
  const current = () => {
    let transaction = storage.getStore();
    while (transaction?.isDone) transaction = transaction.parent;
    return transaction;
  };

  /** Does the work of a transaction, and waits for the statements that it did not await. */
  async function work<T>(transaction: Transaction, task: () => Promise<T>): Promise<T> {
    try {
      return await storage.run(transaction, task);
    } finally {
      transaction.isDone = true;
      await transaction.turn;
    }
  }

  return {
    get isActive() {
      return current() !== undefined;
    },
    run(statement) {
      const transaction = current();
      if (!transaction) return undefined;
      const { client, isUnbounded } = transaction;
      return inOrder(transaction, () => connections.run(client, statement, isUnbounded));
    },
    begin(task, { unbounded = false }) {
      const parent = current();
      const run = (transaction: Transaction) => work(transaction, task);
      return parent
        ? runSavepoint(connections, parent, run)
        : runTransaction(connections, unbounded, run);
    },
  };
}

type Work<T> = (transaction: Transaction) => Promise<T>;

async function runTransaction<T>(
  { take, run }: Connections,
  isUnbounded: boolean,
  work: Work<T>,
): Promise<T> {
  const client = await take();
  let broken: Error | undefined;
  try {
    const begin = isUnbounded ? "begin; set local statement_timeout = 0" : "begin";
    await run(client, { text: begin });
    const result = await work(toTransaction(client, isUnbounded));
    const { command } = await run(client, { text: "commit" }, isUnbounded);
    if (command === "ROLLBACK") throw swallowedError();
    return result;
  } catch (error) {
    await run(client, { text: "rollback" }).catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

function runSavepoint<T>(
  { run }: Connections,
  parent: Transaction,
  work: Work<T>,
): Promise<T> {
  const { client, isUnbounded } = parent;
  return inOrder(parent, async () => {
    await run(client, { text: "savepoint nested" });
    try {
      const result = await work(toTransaction(client, isUnbounded, parent));
      await run(client, { text: "release savepoint nested" });
      return result;
    } catch (error) {
      const rollback = "rollback to savepoint nested; release savepoint nested";
      // on a lost connection this fails as well, and so will the commit
      await run(client, { text: rollback }).catch(() => {});
      throw error;
    }
  });
}

function toTransaction(
  client: pg.PoolClient,
  isUnbounded: boolean,
  parent?: Transaction,
): Transaction {
  const transaction = { client, isUnbounded, isDone: false, turn: Promise.resolve() };
  return parent ? { ...transaction, parent } : transaction;
}

/** Runs `work` after all earlier statements of the transaction have ended. */
function inOrder<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  const result = transaction.turn.then(work);
  // its caller has the failure
  transaction.turn = result.catch(() => {});
  return result;
}

/** PostgreSQL answers a commit with a rollback when a statement had failed. */
function swallowedError(): Error {
  return new Error(
    "A statement of the transaction failed and its error was caught, so nothing was stored. " +
      "Rethrow the error.",
  );
}
