import sql from "sql-template-tag";
import type { Database } from "./database.ts";

/**
 * Waits for other transactions with one of these keys, and keeps new ones waiting until this one
 * ends. Call it inside a transaction, in a statement before the one that reads what it protects: a
 * statement that waits still sees the rows as they were when it began.
 */
export async function lockKeys(db: Database, keys: readonly string[]): Promise<void> {
  // in one order, so that two transactions never wait for each other
  const ordered = [...new Set(keys)].toSorted();
  await db.query(
    sql`select pg_advisory_xact_lock(hashtextextended(key, 0))
      from unnest(${ordered}::text[]) as given (key)`,
    { name: "lock-keys" },
  );
}
