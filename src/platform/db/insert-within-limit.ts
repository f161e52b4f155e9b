import sql from "sql-template-tag";
import type { Database } from "./database.ts";
import { Conflict } from "../http/errors.ts";

interface Limit {
  /** Whose limit it is, and of what: requests of the same owner wait for each other. */
  key: string;
  max: number;
  /** How many there are, without those that the insert replaces. */
  count: () => Promise<number>;
  /** How many the insert adds at most. */
  added?: number;
  code: string;
  message: string;
}

/**
 * Inserts unless there would be more than `max`, however many requests come at once.
 * @throws Conflict.
 */
export async function insertWithinLimit<Result>(
  db: Database,
  { key, max, count, added = 1, code, message }: Limit,
  insert: () => Promise<Result>,
): Promise<Result> {
  return db.tx(async () => {
    await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`limit ${key}`}, 0))`);
    if (added > 0 && (await count()) + added > max) throw new Conflict(code, message);
    return insert();
  });
}
