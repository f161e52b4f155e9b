import sql, { raw } from "sql-template-tag";
import type { Database } from "./database.ts";

/** As PostgreSQL's own vacuum: a table is due when so many of its rows are old. */
const MIN_OLD_ROWS = 50;
const OLD_SHARE = 0.2;

/**
 * Frees the space of changed and deleted rows, which the embedded database never does by itself.
 * Tables with few such rows are left out. On a server it does nothing.
 */
export async function vacuum(db: Database, signal: AbortSignal): Promise<void> {
  if (!db.isEmbedded) return;
  // counts are published with a delay, unless one asks
  await db.query(sql`select pg_stat_force_next_flush()`);
  const due = await db.query<{ table: string }>(sql`
    select format('%I.%I', schemaname, relname) as table from pg_stat_user_tables
    where n_dead_tup > ${MIN_OLD_ROWS} + ${OLD_SHARE}::float8 * n_live_tup order by 1`);
  for (const { table } of due) {
    if (signal.aborted) return;
    await db.query(sql`vacuum ${raw(table)}`, { unbounded: true });
  }
}
