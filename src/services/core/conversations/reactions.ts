import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";

export interface Reaction {
  reaction: "like" | "dislike" | null;
  comment: string | null;
}

/** @throws NotFound `message_not_found` for a message that is not in a conversation of the user's. */
export async function readReaction(db: Database, userId: string, messageId: string): Promise<Reaction> {
  const [row] = await db.query<Reaction>(sql`select r.reaction, r.comment from core.messages m
    join core.conversations c on c.id = m.conversation_id and c.user_id = ${userId} and c.deleted_at is null
    left join core.message_reactions r on r.message_id = m.id and r.user_id = ${userId} where m.id = ${messageId}`);
  if (!row) throw new NotFound("message_not_found", "There is no such message of yours.");
  return row;
}

/** `null` takes it back. */
export async function setReaction(
  db: Database,
  userId: string,
  messageId: string,
  { reaction, comment }: Reaction,
): Promise<Reaction> {
  await readReaction(db, userId, messageId);
  if (reaction === null)
    await db.query(sql`delete from core.message_reactions where message_id = ${messageId} and user_id = ${userId}`);
  else
    await db.query(sql`insert into core.message_reactions (message_id, user_id, reaction, comment) values (${messageId}, ${userId}, ${reaction}, ${comment})
      on conflict (message_id, user_id) do update set reaction = excluded.reaction, comment = excluded.comment, created_at = now()`);
  return readReaction(db, userId, messageId);
}
