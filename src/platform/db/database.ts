import type { Sql } from "sql-template-tag";

/**
 * One PostgreSQL-speaking database: PGlite in a worker, or a server. The same SQL runs on both.
 * Statements are written with the `sql` tag of sql-template-tag, so values are always bound.
 */
export interface Database extends AsyncDisposable {
  /** Rows of one statement. Inside `tx` it runs in the transaction. Columns are aliased to camelCase in the SQL. */
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  /** Runs `work` in a transaction; every `query` that it awaits joins in. Nested: a savepoint. Throwing rolls back. */
  tx<T>(work: () => Promise<T>): Promise<T>;
  /** True inside `tx`. */
  readonly inTransaction: boolean;
  /** Throws when the database does not answer with the right value in time. */
  ping(): Promise<void>;
}
