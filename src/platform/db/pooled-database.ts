import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import type { Sql } from "sql-template-tag";
import { Unavailable } from "../http/errors.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Database } from "./database.ts";

interface PooledOptions {
  pool: pg.Pool;
  log: Logger;
  /** Resolves when connecting makes sense. */
  ready?: () => Promise<void>;
  /** Ends a statement that the database itself cannot end. */
  runaway?: { afterMs: number; end: () => void };
  close?: () => Promise<void>;
}

/** The transaction that the current chain of awaits is in. */
interface Transaction {
  client: pg.PoolClient;
  depth: number;
  /** What runs on after the commit without being awaited goes to the pool, not into somebody else's transaction. */
  done: boolean;
}

export function pooledDatabase({ pool, log, ready, runaway, close }: PooledOptions): Database {
  const transactions = new AsyncLocalStorage<Transaction>();
  pool.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  // while it is lent, a lost connection shows in the query that it served; without a listener it would end the process
  pool.on("connect", (client) => client.on("error", () => {}));

  const current = () => {
    const transaction = transactions.getStore();
    return transaction?.done === false ? transaction : undefined;
  };

  async function take(): Promise<pg.PoolClient> {
    try {
      await ready?.();
      return await pool.connect();
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function run(client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const timer = runaway && setTimeout(runaway.end, runaway.afterMs);
    try {
      return await client.query(statement);
    } catch (error) {
      throw isLost(error) ? unavailable(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function begin<T>(work: () => Promise<T>): Promise<T> {
    const client = await take();
    const transaction: Transaction = { client, depth: 0, done: false };
    let broken: Error | undefined;
    try {
      await run(client, { text: "begin" });
      const result = await transactions.run(transaction, work);
      const { command } = await run(client, { text: "commit" });
      // PostgreSQL answers so when a statement failed and the work went on as if nothing had happened
      if (command === "ROLLBACK")
        throw new Error("A statement of the transaction failed and its error was swallowed: nothing was stored.");
      return result;
    } catch (error) {
      await run(client, { text: "rollback" }).catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      transaction.done = true;
      client.release(broken);
    }
  }

  async function nest<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    const savepoint = `nested_${(transaction.depth += 1)}`;
    await run(transaction.client, { text: `savepoint ${savepoint}` });
    try {
      const result = await work();
      await run(transaction.client, { text: `release savepoint ${savepoint}` });
      return result;
    } catch (error) {
      await run(transaction.client, { text: `rollback to savepoint ${savepoint}` });
      throw error;
    }
  }

  return {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const config = { text: statement.text, values: statement.values };
      const transaction = current();
      if (transaction) return (await run(transaction.client, config)).rows as Row[]; // the caller's SQL names the columns of its Row
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
    },
    tx(work) {
      const transaction = current();
      return transaction ? nest(transaction, work) : begin(work);
    },
    get inTransaction() {
      return current() !== undefined;
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
      await pool.end();
      await close?.();
    },
  };
}

/** Whether an error is a broken unique rule, of any constraint or of the one named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "23505" && (constraint === undefined || error.constraint === constraint)
  );
}

function unavailable(cause?: unknown): Unavailable {
  return new Unavailable("database_unavailable", "The database does not answer. Try again in a moment.", 5_000, { cause });
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
  return LOST.includes(code) || code.startsWith("08") || /connection (terminated|ended)|not queryable/i.test(error.message);
}
