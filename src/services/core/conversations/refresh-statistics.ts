import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/**
 * Tells the planner how big the tables of conversations are and which words are common, on which
 * the search's way depends. A server does so by itself; the embedded database never. A sample of
 * fixed size: under half a second at 100,000 messages.
 */
export async function refreshStatistics(db: Database): Promise<void> {
  await db.query(sql`analyze core.conversations`);
  await db.query(sql`analyze core.messages`);
}
