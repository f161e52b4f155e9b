import { attachment } from "../../../platform/http/attachment.ts";
import type { Conversation, ConversationMessage } from "./contract.ts";

/** A conversation as a file. Markdown holds the newest branch; JSON holds everything. */
export function exportConversation(
  conversation: Conversation & { messages: ConversationMessage[] },
  format: "md" | "json",
): Response {
  const body = format === "json" ? JSON.stringify(conversation, null, 2) : markdown(conversation);
  const mime = `${format === "json" ? "application/json" : "text/markdown"}; charset=utf-8`;
  return attachment(body, {
    fileName: `${conversation.title.slice(0, 100) || "conversation"}.${format}`,
    mime,
  });
}

function markdown({
  title,
  createdAt,
  messages,
}: Conversation & { messages: ConversationMessage[] }): string {
  const parts = newestBranch(messages).map(({ role, content, createdAt: at, agentId, model }) => {
    const who = role === "user" ? "You" : (model ?? agentId ?? "Assistant");
    return `## ${who} · ${at}\n\n${content}\n`;
  });
  return `# ${title.replaceAll("\n", " ") || "Conversation"}\n\n${createdAt}\n\n${parts.join("\n")}`;
}

/** From the first message to the newest one, along the parents. */
function newestBranch(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const branch: ConversationMessage[] = [];
  for (
    let message = messages.at(-1);
    message;
    message = message.parentId === null ? undefined : byId.get(message.parentId)
  )
    branch.unshift(message);
  return branch;
}
