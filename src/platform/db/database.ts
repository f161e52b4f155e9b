import type { Sql } from "sql-template-tag";

/**
 * One PostgreSQL-speaking database: PGlite in a worker, or a server. The same SQL runs on both.
 * Statements are written with the `sql` tag of sql-template-tag, so values are always bound.
 */
export interface Database extends AsyncDisposable {
  /**
   * Rows of one statement. Inside `tx` it runs in the transaction. Columns are aliased to camelCase
   * in the SQL.
   */
  query<Row extends object>(statement: Sql, options?: QueryOptions): Promise<Row[]>;
  /**
   * Runs `work` in a transaction; every `query` that it awaits joins in. Throwing rolls back.
   * Nested: a savepoint; what else the outer transaction asks meanwhile waits for its end.
   */
  tx<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** True inside `tx`. */
  readonly inTransaction: boolean;
  /**
   * Calls `listener` after each commit of a `notify`, in whatever process. May miss some while the
   * connection is lost: poll as well.
   */
  listen(channel: string, listener: (payload: string) => void): Promise<AsyncDisposable>;
  /** Tells the listeners, with the commit where there is a transaction. */
  notify(channel: string, payload: string): Promise<void>;
  /** Throws when the database does not answer with the right value in time. */
  ping(): Promise<void>;
}

export interface QueryOptions {
  /**
   * Under which a connection keeps the plan: for statements that run all the time with one and the
   * same text, where planning costs as much as running. Never another text under the same name.
   */
  name?: string;
}

export interface TransactionOptions {
  /** Statements may take as long as they need: migrations. */
  unbounded?: boolean;
}
