import type { Database } from "../../../platform/db/database.ts";
import { TooLarge } from "../../../platform/http/errors.ts";
import { MAX_ANSWER_CHARACTERS } from "../max-answer.ts";
import type { Conversation, WholeConversation } from "./contract-messages.ts";
import { listMessageIds, listMessages, measureMessages } from "./store.ts";

/** The database reads all characters of these to count them. */
const MEASURED_AT_ONCE = 200;

/**
 * Conversations with all their messages. `reader`: the user whose reactions are included.
 * @throws TooLarge `conversation_too_large` where they do not fit into one answer.
 */
export async function readWhole(
  db: Database,
  conversations: readonly Conversation[],
  reader: string | undefined,
): Promise<WholeConversation[]> {
  if (conversations.length === 0) return [];
  const ids = conversations.map(({ id }) => id);
  await refuseLarge(db, await listMessageIds(db, ids));
  const messages = await listMessages(db, ids, reader);
  return conversations.map((conversation) => ({
    ...conversation,
    messages: messages.filter(({ conversationId }) => conversationId === conversation.id),
  }));
}

async function refuseLarge(db: Database, ids: readonly string[]): Promise<void> {
  let room = MAX_ANSWER_CHARACTERS;
  for (let at = 0; at < ids.length; at += MEASURED_AT_ONCE) {
    const sizes = await measureMessages(db, ids.slice(at, at + MEASURED_AT_ONCE));
    for (const size of sizes.values()) room -= size;
    if (room < 0) throw conversationTooLarge();
  }
}

function conversationTooLarge(): TooLarge {
  return new TooLarge(
    "conversation_too_large",
    `The messages have more than ${MAX_ANSWER_CHARACTERS} characters. Read them page by page ` +
      "at /messages, or export the conversation.",
    { params: { max: MAX_ANSWER_CHARACTERS } },
  );
}
