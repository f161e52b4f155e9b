import sql from "sql-template-tag";
import type { BoundedEntries } from "../../../platform/cache/bounded-entries.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Conflict, TooLarge } from "../../../platform/http/errors.ts";
import { hasMoreThan, refuseFullTrash } from "../refuse-full-trash.ts";

export interface ConversationLimits {
  db: Database;
  maxConversations: number;
  maxMessages: number;
  /** Of all conversations of an owner, with the trash. */
  maxMessagesBytes: number;
  /** The owners who were far from their limits a moment ago. */
  roomy: BoundedEntries;
}

/**
 * How far from both limits an owner must be to be asked about only now and then: to add up what
 * they have takes as long as it is much. Nobody brings that much in the time.
 */
const FAR = { conversations: 5_000, bytes: 512 * 1024 ** 2, forMs: 10_000 };

/** A turn is a message and its reply. */
const MESSAGES_OF_TURN = 2;

/**
 * Refuses a turn of a full conversation, or a new conversation of a user who has too many. Turns
 * that begin together are not counted, but a user has few replies in progress, and what a turn
 * brings is counted when it is stored.
 * @param conversation absent for a new one
 * @throws Conflict `too_many_messages`, `too_many_conversations`, `trash_full`; TooLarge
 * `messages_quota_exceeded`.
 */
export async function refuseFull(
  limits: ConversationLimits,
  userId: string,
  conversation: { id: string; userId: string } | undefined,
): Promise<void> {
  if (conversation) await refuseLong(limits, conversation.id);
  const { db, maxConversations, maxMessagesBytes, roomy } = limits;
  const ownerId = conversation?.userId ?? userId;
  if (roomy.find(ownerId)) return;
  const { bytes, conversations } = await sumOf(db, ownerId);
  if (bytes >= maxMessagesBytes) throw beyondQuota(maxMessagesBytes);
  if (
    bytes + FAR.bytes <= maxMessagesBytes &&
    conversations + FAR.conversations <= maxConversations
  )
    roomy.set(ownerId, "", FAR.forMs);
  if (conversation || conversations < maxConversations) return;
  // with the trash there are as many as may be outside it
  await refuseFullTrash(db, allOf(userId), maxConversations);
  await refuseNew(limits, userId);
}

/** @throws Conflict `too_many_messages`. */
async function refuseLong(
  { db, maxMessages: max }: ConversationLimits,
  id: string,
): Promise<void> {
  const messages = sql`core.messages where conversation_id = ${id}`;
  if (await hasMoreThan(db, messages, max - MESSAGES_OF_TURN))
    throw new Conflict(
      "too_many_messages",
      `This conversation has ${max} messages, the most that one may have. Start a new one.`,
      { params: { max } },
    );
}

interface Sum {
  bytes: number;
  conversations: number;
}

/** With the trash. */
async function sumOf(db: Database, ownerId: string): Promise<Sum> {
  const [sum] = await db.query<Sum>(
    sql`select coalesce(sum(bytes), 0)::float8 as bytes, count(*)::int as conversations
      from core.conversations where user_id = ${ownerId}`,
    { name: "core-conversations-sum" },
  );
  return sum ?? { bytes: 0, conversations: 0 };
}

/** @throws Conflict `too_many_conversations`. */
export async function refuseNew(
  { db, maxConversations: max }: Pick<ConversationLimits, "db" | "maxConversations">,
  userId: string,
): Promise<void> {
  if (await hasMoreThan(db, sql`${allOf(userId)} and deleted_at is null`, max - 1))
    throw new Conflict(
      "too_many_conversations",
      `You have ${max} conversations, the most that one may have. Delete some first.`,
      { params: { max } },
    );
}

const allOf = (userId: string) => sql`core.conversations where user_id = ${userId}`;

function beyondQuota(maxBytes: number): TooLarge {
  return new TooLarge(
    "messages_quota_exceeded",
    `The messages of the owner's conversations have ${maxBytes} bytes, the most that one user may ` +
      "have. Delete conversations first, and delete them from the trash.",
    { params: { maxBytes } },
  );
}
