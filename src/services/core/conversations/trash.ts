import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { conversationNotFound } from "./access.ts";

/** @throws NotFound for a conversation that is not in the user's trash. */
export async function restoreConversation(db: Database, userId: string, id: string): Promise<void> {
  const rows = await db.query(sql`update core.conversations set deleted_at = null
    where id = ${id} and user_id = ${userId} and deleted_at is not null returning id`);
  if (rows.length === 0) throw conversationNotFound();
}

/**
 * For good, with its messages; what it used stays on record.
 * @throws NotFound for one that is not in the user's trash.
 */
export async function purgeConversation(db: Database, userId: string, id: string): Promise<void> {
  const rows = await db.query(
    sql`delete from core.conversations where id = ${id} and user_id = ${userId} and deleted_at is not null returning id`,
  );
  if (rows.length === 0) throw conversationNotFound();
}

/** What lay in the trash for longer, a part at a time. @returns how many went. */
export async function purgeOld(db: Database, olderThanMs: number): Promise<number> {
  const rows = await db.query(sql`delete from core.conversations where id in (
    select id from core.conversations where deleted_at < now() - ${olderThanMs} * interval '1 millisecond' limit 500) returning id`);
  return rows.length;
}
