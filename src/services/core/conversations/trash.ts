import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { inTurn } from "../../../platform/db/batch-turns.ts";
import { deleteAll } from "../../../platform/db/delete-all.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { repeatUntilNone } from "../../../platform/db/repeat-until-none.ts";
import { conversationNotFound } from "./access.ts";
import { type ConversationLimits, refuseNew } from "./refuse-full.ts";

/** A few tens of milliseconds in the embedded database, which serves others only in between. */
const MESSAGES_PER_BATCH = 100;
const CONVERSATIONS_PER_BATCH = 200;
/** Conversations that are being deleted belong to nobody and were deleted at this time. */
const DOOMED = sql`'epoch'::timestamptz`;
const NOBODY = "";

/** @throws NotFound for a conversation that is not in the user's trash, what `refuseNew` throws. */
export async function restoreConversation(
  limits: Pick<ConversationLimits, "db" | "maxConversations">,
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
  const found = await doom(
    db,
    sql`id = ${id} and user_id = ${userId} and deleted_at is not null`,
  );
  if (found === 0) throw conversationNotFound();
  await deleteDoomed(db, id);
}

/** Deletes the conversations of a user. */
export async function purgeConversationsOf(db: Database, userId: string): Promise<void> {
  // one index has those outside the trash, another those in it
  for (const part of [sql`deleted_at is null`, sql`deleted_at is not null`])
    await repeatUntilNone(db, () => doom(db, sql`user_id = ${userId} and ${part}`));
  // the users service deletes the registrations of its deleted users itself
  await deleteAllDoomed(db, async () => {});
}

/** Deletes the registration of a conversation, with whom it was shared. */
type Forget = (id: string) => Promise<void>;

/**
 * Deletes the conversations that were in the trash for longer, and what deletions that were
 * interrupted have left, after `forget` has deleted the registration of each. @throws NotDeleted
 */
export async function purgeOld(
  db: Database,
  olderThanMs: number,
  forget: Forget,
  signal?: AbortSignal,
): Promise<void> {
  const isOld = sql`deleted_at < now() - ${olderThanMs} * interval '1 millisecond'`;
  await repeatUntilNone(db, () => doom(db, sql`${isOld} and user_id <> ${NOBODY}`), signal);
  await deleteAllDoomed(db, forget, signal);
}

/**
 * Takes conversations from their users at once, so that nobody reads or restores one that is
 * partly deleted.
 */
async function doom(db: Database, where: Sql): Promise<number> {
  const rows = await db.query(sql`update core.conversations
    set user_id = ${NOBODY}, deleted_at = ${DOOMED}
    where id in (select id from core.conversations where ${where} limit ${CONVERSATIONS_PER_BATCH})
    returning id`);
  return rows.length;
}

/** @throws NotDeleted */
async function deleteAllDoomed(
  db: Database,
  forget: Forget,
  signal?: AbortSignal,
): Promise<void> {
  const next = async (after: string) => {
    const rows = await db.query<{ id: string }>(sql`select id from core.conversations
      where deleted_at = ${DOOMED} and id > ${after} order by id
      limit ${CONVERSATIONS_PER_BATCH}`);
    return rows.map(({ id }) => id);
  };
  const remove = async (ids: string[]) => {
    for (const id of ids) {
      if (signal?.aborted) return;
      // before the row, which is what a next try finds
      await forget(id);
      await deleteDoomed(db, id, signal);
    }
  };
  await deleteAll({ next, remove }, signal);
}

/** The newest messages first: an answer goes before what it answers. */
async function deleteDoomed(db: Database, id: string, signal?: AbortSignal): Promise<void> {
  await repeatUntilNone(
    db,
    async () => {
      const deleted = await db.query(sql`delete from core.messages where id in (
      select id from core.messages where conversation_id = ${id}
      order by created_at desc, id desc limit ${MESSAGES_PER_BATCH}) returning id`);
      return deleted.length;
    },
    signal,
  );
  if (signal?.aborted) return;
  await inTurn(db, () =>
    db.query(
      sql`delete from core.conversations where id = ${id} and deleted_at = ${DOOMED}`,
    ),
  );
}
