import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import sql, { type Sql } from "sql-template-tag";
import { Unavailable } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Database, QueryOptions, TransactionOptions } from "./database.ts";
import { storable } from "./jsonb.ts";
import type { Notifications } from "./notifications.ts";

interface PooledOptions {
  pool: pg.Pool;
  log: Logger;
  notifications: Notifications;
  /** Resolves when connecting makes sense. */
  ready?: () => Promise<void>;
  /** Ends a statement that the database itself cannot end. */
  runaway?: { afterMs: number; end: () => void };
  /** Throws when the statement must not run now. */
  guard?: (text: string) => void;
  close?: () => Promise<void>;
}

/** The transaction that the current chain of awaits is in; a nested one has a parent. */
interface Transaction {
  client: pg.PoolClient;
  parent?: Transaction;
  unbounded: boolean;
  /**
   * What runs on after its end without being awaited goes to the parent or the pool, not into
   * somebody else's transaction.
   */
  done: boolean;
  /**
   * Ends when what was asked before has ended: a savepoint must hold the statements of its own work
   * only.
   */
  turn: Promise<unknown>;
}

export function pooledDatabase({
  pool,
  log,
  notifications,
  ready,
  runaway,
  guard,
  close,
}: PooledOptions): Database {
  const transactions = new AsyncLocalStorage<Transaction>();
  pool.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  // while it is lent, a lost connection shows in the query that it served; without a listener it
  // would end the process
  pool.on("connect", (client) => client.on("error", () => {}));

  const current = () => {
    let transaction = transactions.getStore();
    while (transaction?.done) transaction = transaction.parent;
    return transaction;
  };

  async function take(): Promise<pg.PoolClient> {
    try {
      await ready?.();
      return await pool.connect();
    } catch (error) {
      // it accepts connections and does not answer on them
      if (error instanceof Error && error.message.includes("due to connection timeout"))
        runaway?.end();
      throw unavailable(error);
    }
  }

  async function run(
    client: pg.PoolClient,
    statement: pg.QueryConfig,
    unbounded = false,
  ): Promise<pg.QueryResult> {
    guard?.(statement.text);
    const timer = runaway && !unbounded && setTimeout(runaway.end, runaway.afterMs);
    try {
      return await answerOf(client, statement);
    } catch (error) {
      throw isLost(error) ? unavailable(error) : error;
    } finally {
      if (timer) clearTimeout(timer);
    }
  }

  async function begin<T>(
    work: () => Promise<T>,
    { unbounded = false }: TransactionOptions,
  ): Promise<T> {
    const client = await take();
    const transaction: Transaction = { client, unbounded, done: false, turn: Promise.resolve() };
    let broken: Error | undefined;
    try {
      await run(client, { text: unbounded ? "begin; set local statement_timeout = 0" : "begin" });
      const result = await transactions.run(transaction, work);
      transaction.done = true;
      await transaction.turn;
      const { command } = await run(client, { text: "commit" }, unbounded);
      // PostgreSQL answers so when a statement failed and the work went on as if nothing had
      // happened
      if (command === "ROLLBACK")
        throw new Error(
          "A statement of the transaction failed and its error was swallowed: nothing was stored.",
        );
      return result;
    } catch (error) {
      transaction.done = true;
      await transaction.turn;
      await run(client, { text: "rollback" }).catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  function nest<T>(parent: Transaction, work: () => Promise<T>): Promise<T> {
    const { client, unbounded } = parent;
    return inTurn(parent, async () => {
      const transaction: Transaction = {
        client,
        parent,
        unbounded,
        done: false,
        turn: Promise.resolve(),
      };
      await run(client, { text: "savepoint nested" });
      try {
        const result = await transactions.run(transaction, work);
        transaction.done = true;
        await transaction.turn;
        await run(client, { text: "release savepoint nested" });
        return result;
      } catch (error) {
        transaction.done = true;
        await transaction.turn;
        // on a lost connection this fails as well, and so will the commit
        await run(client, { text: "rollback to savepoint nested; release savepoint nested" }).catch(
          () => {},
        );
        throw error;
      }
    });
  }

  async function query<Row extends object>(
    statement: Sql,
    { name }: QueryOptions = {},
  ): Promise<Row[]> {
    const config = {
      ...(name !== undefined && { name }),
      text: statement.text,
      values: statement.values.map(storable),
    };
    const transaction = current();
    // the caller's SQL names the columns of its Row
    if (transaction)
      return inTurn(
        transaction,
        async () => (await run(transaction.client, config, transaction.unbounded)).rows as Row[],
      );
    const client = await take();
    let lost = false;
    try {
      return (await run(client, config)).rows as Row[];
    } catch (error) {
      lost = error instanceof Unavailable;
      throw error;
    } finally {
      client.release(lost);
    }
  }

  return {
    query,
    tx(work, options = {}) {
      const transaction = current();
      return transaction ? nest(transaction, work) : begin(work, options);
    },
    get inTransaction() {
      return current() !== undefined;
    },
    listen: (channel, listener) => notifications.listen(channel, listener),
    async notify(channel, payload) {
      await query(sql`select pg_notify(${channel}, ${payload})`);
    },
    async ping() {
      const client = await take();
      try {
        // a broken PGlite answers without rows and without an error
        const { rows } = await run(client, { text: "select 41 + 1 as answer" });
        if ((rows[0] as { answer?: number } | undefined)?.answer !== 42) throw unavailable();
      } finally {
        client.release();
      }
    },
    async [Symbol.asyncDispose]() {
      await notifications[Symbol.asyncDispose]();
      await pool.end();
      await close?.();
    },
  };
}

/**
 * As the client's own promise gives it, which would keep each statement and its rows in the old
 * generation until that is cleaned up.
 */
function answerOf(client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(statement, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** Runs `work` when what the transaction was asked before has ended. */
function inTurn<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  const result = transaction.turn.then(work);
  transaction.turn = result.catch(() => {});
  return result;
}

/** Whether an error is a broken unique rule, of any constraint or of the one named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "23505" &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** Whether an error is a broken reference between rows. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "23503";
}

function unavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "database_unavailable",
    "The database does not answer. Try again in a moment.",
    5_000,
    { cause },
  );
}

const LOST = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ENOTFOUND",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "57014",
  "53300",
];

function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    LOST.includes(code) ||
    code.startsWith("08") ||
    /connection (terminated|ended)|not queryable/i.test(error.message)
  );
}
