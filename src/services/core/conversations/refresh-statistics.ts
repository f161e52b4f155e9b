import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/**
 * Updates the planner's statistics of conversations, by which searches choose their plan. A server
 * does so by itself; the embedded database never does. Reads a sample of fixed size: under half a
 * second at 100,000 messages.
 */
export async function refreshStatistics(db: Database): Promise<void> {
  await db.query(sql`analyze core.conversations`);
  await db.query(sql`analyze core.messages`);
}
