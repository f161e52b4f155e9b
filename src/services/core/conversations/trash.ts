import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { conversationNotFound } from "./access.ts";
import { type ConversationLimits, refuseNew } from "./refuse-full.ts";

/** @throws NotFound for a conversation that is not in the user's trash, what `refuseNew` throws. */
export async function restoreConversation(
  limits: Omit<ConversationLimits, "maxMessages">,
  userId: string,
  id: string,
): Promise<void> {
  const { db } = limits;
  await db.tx(async () => {
    // the trash can hold far more than the limit, and all of it can be restored at once
    await lockKeys(db, [`conversations of ${userId}`]);
    await refuseNew(limits, userId);
    const rows = await db.query(sql`update core.conversations set deleted_at = null
      where id = ${id} and user_id = ${userId} and deleted_at is not null returning id`);
    if (rows.length === 0) throw conversationNotFound();
  });
}

/**
 * Deletes a conversation with its messages for good. Its usage stays on record.
 * @throws NotFound for a conversation that is not in the user's trash.
 */
export async function purgeConversation(
  db: Database,
  userId: string,
  id: string,
): Promise<void> {
  const rows = await db.query(
    sql`delete from core.conversations
      where id = ${id} and user_id = ${userId} and deleted_at is not null returning id`,
  );
  if (rows.length === 0) throw conversationNotFound();
}

/** Deletes some of the conversations that were in the trash for longer. @returns how many. */
export async function purgeOld(db: Database, olderThanMs: number): Promise<number> {
  const rows = await db.query(sql`delete from core.conversations where id in (
    select id from core.conversations
    where deleted_at < now() - ${olderThanMs} * interval '1 millisecond' limit 500) returning id`);
  return rows.length;
}
