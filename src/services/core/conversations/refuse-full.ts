import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import { hasMoreThan, refuseFullTrash } from "../refuse-full-trash.ts";

export interface ConversationLimits {
  db: Database;
  maxConversations: number;
  maxMessages: number;
}

/** A turn is a message and its reply. */
const MESSAGES_OF_TURN = 2;

/**
 * Refuses a turn of a full conversation, or a new conversation of a user who has too many. Turns
 * that begin together are not counted, but a user has few replies in progress.
 * @throws Conflict `too_many_messages`, `too_many_conversations`, `trash_full`.
 */
export async function refuseFull(
  limits: ConversationLimits,
  userId: string,
  conversationId: string | undefined,
): Promise<void> {
  const { db, maxConversations, maxMessages: max } = limits;
  if (conversationId === undefined) {
    const rows = sql`core.conversations where user_id = ${userId}`;
    await refuseFullTrash(db, rows, maxConversations);
    return refuseNew(limits, userId);
  }
  const messages = sql`core.messages where conversation_id = ${conversationId}`;
  if (await hasMoreThan(db, messages, max - MESSAGES_OF_TURN))
    throw new Conflict(
      "too_many_messages",
      `This conversation has ${max} messages, the most that one may have. Start a new one.`,
      { params: { max } },
    );
}

/** @throws Conflict `too_many_conversations`. */
export async function refuseNew(
  { db, maxConversations: max }: Omit<ConversationLimits, "maxMessages">,
  userId: string,
): Promise<void> {
  const kept = sql`core.conversations where user_id = ${userId} and deleted_at is null`;
  if (await hasMoreThan(db, kept, max - 1))
    throw new Conflict(
      "too_many_conversations",
      `You have ${max} conversations, the most that one may have. Delete some first.`,
      { params: { max } },
    );
}
