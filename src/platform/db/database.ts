import type { Sql } from "sql-template-tag";
import type { Listen } from "./notifications.ts";

/**
 * One PostgreSQL-speaking database: PGlite in a worker, or a server. The same SQL runs on both.
 * Statements are written with the `sql` tag of sql-template-tag, so values are always bound.
 */
export interface Database extends AsyncDisposable {
  /**
   * Runs one statement, inside `tx` in the transaction. @returns its rows. The SQL aliases columns
   * to camelCase.
   */
  query<Row extends object>(statement: Sql, options?: QueryOptions): Promise<Row[]>;
  /**
   * Runs `work` in a transaction. Every `query` that it awaits takes part. An error rolls back.
   * Nested, it is a savepoint: other statements of the outer transaction wait for its end.
   */
  tx<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Whether it is PGlite, which frees no space of old rows and does one statement at a time. */
  readonly isEmbedded: boolean;
  /** True inside `tx`. */
  readonly inTransaction: boolean;
  /**
   * Calls `listener` after each commit with a `notify`, in any process. Notifications are lost
   * while the connection is: `onGap` is called when it is there again. Poll as well.
   */
  listen: Listen;
  /** Notifies the listeners; inside `tx`, with the commit. */
  notify(channel: string, payload: string): Promise<void>;
  /** Throws when the database does not answer with the right value in time. */
  ping(): Promise<void>;
}

export interface QueryOptions {
  /**
   * The name of the prepared statement. Use it for statements that run often, where planning costs
   * as much as running. One name always has the same text.
   */
  name?: string;
  /** Whether it may take any time. Inside `tx` the transaction says so. */
  unbounded?: boolean;
}

export interface TransactionOptions {
  /** Whether statements may take any time, as migrations do. */
  unbounded?: boolean;
}
