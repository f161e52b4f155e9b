import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { Conflict, TooLarge } from "../../../platform/http/errors.ts";
import { hasMoreThan, refuseFullTrash } from "../refuse-full-trash.ts";

export interface ConversationLimits {
  db: Database;
  maxConversations: number;
  maxMessages: number;
  /** Of all conversations of an owner, with the trash. */
  maxMessagesBytes: number;
}

/** A turn is a message and its reply. */
const MESSAGES_OF_TURN = 2;

/**
 * Refuses a turn of a full conversation, or a new conversation of a user who has too many. Turns
 * that begin together are not counted, but a user has few replies in progress.
 * @param conversation absent for a new one
 * @throws Conflict `too_many_messages`, `too_many_conversations`, `trash_full`; TooLarge
 * `messages_quota_exceeded`.
 */
export async function refuseFull(
  limits: ConversationLimits,
  userId: string,
  conversation: { id: string; userId: string } | undefined,
): Promise<void> {
  const { db, maxConversations, maxMessages: max } = limits;
  await refuseBeyondQuota(limits, conversation?.userId ?? userId);
  if (conversation === undefined) {
    const rows = sql`core.conversations where user_id = ${userId}`;
    await refuseFullTrash(db, rows, maxConversations);
    return refuseNew(limits, userId);
  }
  const messages = sql`core.messages where conversation_id = ${conversation.id}`;
  if (await hasMoreThan(db, messages, max - MESSAGES_OF_TURN))
    throw new Conflict(
      "too_many_messages",
      `This conversation has ${max} messages, the most that one may have. Start a new one.`,
      { params: { max } },
    );
}

/** @throws TooLarge `messages_quota_exceeded`. What a turn brings is counted when it is stored. */
async function refuseBeyondQuota(
  { db, maxMessagesBytes: maxBytes }: ConversationLimits,
  ownerId: string,
): Promise<void> {
  const [stored] = await db.query<{ bytes: number }>(
    sql`select coalesce(sum(bytes), 0)::float8 as bytes from core.conversations
      where user_id = ${ownerId}`,
    { name: "core-messages-bytes" },
  );
  if ((stored?.bytes ?? 0) < maxBytes) return;
  throw new TooLarge(
    "messages_quota_exceeded",
    `The messages of the owner's conversations have ${maxBytes} bytes, the most that one user may ` +
      "have. Delete conversations first, and delete them from the trash.",
    { params: { maxBytes } },
  );
}

/** @throws Conflict `too_many_conversations`. */
export async function refuseNew(
  { db, maxConversations: max }: Pick<ConversationLimits, "db" | "maxConversations">,
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
