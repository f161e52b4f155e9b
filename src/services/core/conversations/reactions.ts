import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Reaction } from "./contract-reactions.ts";

/** The conversation of a message. @throws NotFound `message_not_found`. */
export async function conversationOf(db: Database, messageId: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    sql`select conversation_id as id from core.messages where id = ${messageId}`,
  );
  if (!row) throw messageNotFound();
  return row.id;
}

export function messageNotFound(): NotFound {
  return new NotFound(
    "message_not_found",
    "There is no such message that you may see. Read the conversation again.",
  );
}

/** The reaction of a user who may see the message. */
export async function readReaction(
  db: Database,
  userId: string,
  messageId: string,
): Promise<Reaction> {
  const [row] = await db.query<Reaction>(sql`
    select r.reaction, coalesce(r.reasons, '{}') as reasons, r.comment from core.messages m
    left join core.message_reactions r on r.message_id = m.id and r.user_id = ${userId}
    where m.id = ${messageId}`);
  if (!row) throw messageNotFound();
  return row;
}

/** `null` removes the reaction. What administrators filter by is kept as it is now. */
export async function setReaction(
  db: Database,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
  messageId: string,
  { reaction, reasons, comment }: Reaction,
): Promise<Reaction> {
  if (reaction === null)
    await db.query(
      sql`delete from core.message_reactions
        where message_id = ${messageId} and user_id = ${userId}`,
    );
  else
    await db.query(sql`
      insert into core.message_reactions
        (message_id, user_id, client_id, reaction, reasons, comment, model, agent_id)
      select id, ${userId}, ${clientId}, ${reaction},
        ${reaction === "dislike" ? reasons : []}::text[], ${comment}, model, agent_id
      from core.messages where id = ${messageId}
      on conflict (message_id, user_id) do update
        set reaction = excluded.reaction, reasons = excluded.reasons,
          comment = excluded.comment, client_id = excluded.client_id,
          model = excluded.model, agent_id = excluded.agent_id, created_at = now()`);
  return readReaction(db, userId, messageId);
}
