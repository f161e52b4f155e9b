import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { Conflict } from "../../platform/http/errors.ts";

/**
 * What is in the trash does not count for the limit of its kind, so that a user who deletes can go
 * on. The trash itself holds as many of a kind as may be outside it.
 * @param rows all of a kind that a user has: a table with its condition.
 * @throws Conflict `trash_full`.
 */
export async function refuseFullTrash(db: Database, rows: Sql, max: number): Promise<void> {
  if (await hasMoreThan(db, sql`${rows} and deleted_at is not null`, max - 1))
    throw new Conflict(
      "trash_full",
      `Your trash holds ${max} of these, the most that it may. Delete some for good, or wait ` +
        "until the oldest are deleted.",
      { params: { max } },
    );
}

/** Reads no more rows than that. */
export async function hasMoreThan(
  db: Database,
  rows: Sql,
  count: number,
): Promise<boolean> {
  const found = await db.query(
    sql`select from ${rows} offset ${Math.max(0, count)} limit 1`,
  );
  return found.length > 0;
}
