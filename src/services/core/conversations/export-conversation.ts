import { Readable } from "node:stream";
import { shortenText } from "../../../platform/shorten-text.ts";
import type { Database } from "../../../platform/db/database.ts";
import { attachment, type FileBody } from "../../../platform/http/attachment.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import type { Conversation, ConversationMessage } from "./contract-messages.ts";
import { listMessageTree, type MessageLink, readMessagesById } from "./store.ts";

export type ConversationFormat = "md" | "json";

const MAX_NAME_CHARACTERS = 100;
/** Messages in memory at once. One may have a million characters. */
const BATCH_SIZE = 8;
const MIME: Record<ConversationFormat, string> = {
  md: "text/markdown; charset=utf-8",
  json: "application/json; charset=utf-8",
};

/**
 * A conversation as a file, read and sent in batches. Markdown holds the newest branch; JSON holds
 * every message. `reader`: whose reactions JSON has.
 */
export async function exportConversation(
  db: Database,
  conversation: Conversation,
  format: ConversationFormat,
  reader: string,
): Promise<Response> {
  const tree = await listMessageTree(db, conversation.id);
  const ids = format === "json" ? tree.map(({ id }) => id) : newestBranch(tree);
  const messages = readInBatches(db, ids, reader);
  const pieces =
    format === "json" ? jsonOf(conversation, messages) : markdownOf(conversation, messages);
  const bytes = Readable.toWeb(Readable.from(encode(pieces))) as FileBody; // of `encode`
  return attachment(bytes, {
    fileName: `${shortenText(conversation.title, MAX_NAME_CHARACTERS) || "conversation"}.${format}`,
    mime: MIME[format],
  });
}

async function* readInBatches(db: Database, ids: readonly string[], reader: string) {
  for (const batch of inGroups(ids, BATCH_SIZE)) {
    const found = await readMessagesById(db, batch, reader);
    const byId = new Map(found.map((message) => [message.id, message]));
    for (const id of batch) {
      const message = byId.get(id);
      if (message) yield message;
    }
  }
}

async function* encode(pieces: AsyncIterable<string>) {
  for await (const piece of pieces) yield Buffer.from(piece);
}

type Messages = AsyncIterable<ConversationMessage>;

async function* jsonOf(conversation: Conversation, messages: Messages) {
  const head = JSON.stringify({ ...conversation, messages: [] }, null, 2);
  yield head.slice(0, head.lastIndexOf("]"));
  let separator = "\n    ";
  for await (const message of messages) {
    yield separator + JSON.stringify(message, null, 2).replaceAll("\n", "\n    ");
    separator = ",\n    ";
  }
  yield "\n  ]\n}";
}

async function* markdownOf({ title, createdAt }: Conversation, messages: Messages) {
  yield `# ${title.replaceAll("\n", " ") || "Conversation"}\n\n${createdAt}\n\n`;
  let separator = "";
  for await (const { role, content, createdAt: at, agentId, model } of messages) {
    const author = role === "user" ? "You" : (model ?? agentId ?? "Assistant");
    yield `${separator}## ${author} · ${at}\n\n${content}\n`;
    separator = "\n";
  }
}

/** From the first message to the newest one, along the parents. */
function newestBranch(tree: readonly MessageLink[]): string[] {
  const byId = new Map(tree.map((link) => [link.id, link]));
  const branch: string[] = [];
  for (let link = tree.at(-1); link; link = byId.get(link.parentId ?? ""))
    branch.push(link.id);
  return branch.reverse();
}
