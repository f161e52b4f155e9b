import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../db/database.ts";
import { jsonb } from "../db/jsonb.ts";

/*
 * Leases that a row holds itself, because the row is the work. The database's clock decides: the
 * clocks of processes differ.
 */

/** When a lease of this length ends that begins now. */
export function leaseEnd(durationMs: number): Sql {
  return sql`now() + ${Math.round(durationMs)} * interval '1 millisecond'`;
}

/** Whether a lease has ended, so that another worker may claim the row. False for null. */
export function isExpired(column: Sql): Sql {
  return sql`${column} <= now()`;
}

/** Whether a worker holds the row. False for null. */
export function isHeld(column: Sql): Sql {
  return sql`${column} > now()`;
}

/** The columns by which a table leases its rows to workers. */
export interface RowLease {
  table: Sql;
  /** When the lease ends. The row may be claimed from then on. */
  until: Sql;
  /** A number that grows with each claim, so that a former worker's writes find no row. */
  fence?: Sql;
  durationMs: number;
}

interface Claim {
  /** Selects the `ctid` of the rows to claim, locked with `for update skip locked`. */
  due: Sql;
  /** Further assignments. The row is named `claimed`. */
  set?: Sql;
  returning: Sql;
  /** The name of the prepared statement, for one that runs often. */
  name?: string;
}

/** Claims rows for a lease. Each row has one worker at most. */
export async function claimRows<Row extends object>(
  db: Database,
  { table, until, fence, durationMs }: RowLease,
  { due, set, returning, name }: Claim,
): Promise<Row[]> {
  const next = fence ? sql`, ${fence} = claimed.${fence} + 1` : sql``;
  const others = set ? sql`, ${set}` : sql``;
  const statement = sql`update ${table} claimed
    set ${until} = ${leaseEnd(durationMs)}${next}${others}
    from (${due}) due where claimed.ctid = due.ctid returning ${returning}`;
  return db.query<Row>(statement, name === undefined ? {} : { name });
}

interface Renewal<Held extends object> {
  held: readonly Held[];
  /** The fields of `held` with their types: the key of the row, and the fence. */
  fields: Sql;
  /** Compares the rows `claimed` and `held`: the key, the fence, and that the work is open. */
  match: Sql;
}

/** Renews the leases of a worker. @returns the indexes of the rows that it still holds. */
export async function renewRows<Held extends object>(
  db: Database,
  { table, until, durationMs }: RowLease,
  { held, fields, match }: Renewal<Held>,
): Promise<Set<number>> {
  const indexed = held.map((row, index) => ({ ...row, index }));
  const rows = await db.query<{ index: number }>(sql`update ${table} claimed
    set ${until} = ${leaseEnd(durationMs)}
    from jsonb_to_recordset(${jsonb(indexed)}) as held (${fields}, index int)
    where ${match} returning held.index`);
  return new Set(rows.map(({ index }) => index));
}
