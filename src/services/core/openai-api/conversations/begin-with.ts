import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../../platform/db/database.ts";
import { jsonb } from "../../../../platform/db/jsonb.ts";
import { BadRequest } from "../../../../platform/http/errors.ts";
import type { FirstItem } from "./contract.ts";

export interface FirstMessage {
  role: "user" | "assistant";
  content: string;
}

/**
 * The messages of a new conversation: those of one side after each other are one.
 * @throws BadRequest `conversation_items_unsupported`.
 */
export function toFirstMessages(items: readonly FirstItem[]): FirstMessage[] {
  const messages: FirstMessage[] = [];
  for (const { role, content: given } of items) {
    if (role !== "user" && role !== "assistant") throw unsupported();
    const content =
      typeof given === "string" ? given : given.map(({ text }) => text).join("\n\n");
    const last = messages.at(-1);
    if (content.trim() === "") throw unsupported();
    if (last?.role === role) last.content += `\n\n${content}`;
    else messages.push({ role, content });
  }
  // an answer has a question
  if (messages[0]?.role === "assistant") throw unsupported();
  return messages;
}

/** Stores them, each as the answer to the one before. Joins a transaction. */
export async function insertFirstMessages(
  db: Database,
  conversationId: string,
  messages: readonly FirstMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const ids = messages.map(() => uuidv7());
  const rows = messages.map((message, at) => ({
    ...message,
    id: ids[at],
    parentId: ids[at - 1] ?? null,
  }));
  await db.query(sql`
    insert into core.messages (id, conversation_id, parent_id, role, content, status)
    select id, ${conversationId}, "parentId", role, content, 'complete'
    from jsonb_to_recordset(${jsonb(rows)})
      as g (id uuid, "parentId" uuid, role text, content text)`);
}

function unsupported(): BadRequest {
  return new BadRequest(
    "conversation_items_unsupported",
    "A conversation begins with messages of its user and answers to them, as text. Send those, the " +
      "user's first, and instructions with each response.",
  );
}
