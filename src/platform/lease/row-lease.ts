import sql, { type Sql } from "sql-template-tag";

/*
 * The SQL of leases that a row holds itself, because the row is the work. The database's clock
 * decides: clocks of processes differ.
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
