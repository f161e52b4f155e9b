import sql, { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/** A sample of 9,000 rows takes less than 0.1 s, in which the embedded database serves nobody. */
const EMBEDDED_TARGET = "30";
const TABLES = ["core.conversations", "core.messages"];

/**
 * Updates the planner's statistics of conversations, by which searches choose their plan. A server
 * does so by itself; the embedded database never does.
 */
export async function refreshStatistics(db: Database): Promise<void> {
  for (const table of TABLES)
    await db.tx(async () => {
      if (db.isEmbedded)
        await db.query(
          sql`select set_config('default_statistics_target', ${EMBEDDED_TARGET}, true)`,
        );
      await db.query(sql`analyze ${raw(table)}`);
    });
}
