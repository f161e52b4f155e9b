import type { Conversation, ConversationMessage } from "./contract.ts";

/** A conversation as a file. Markdown holds the newest branch; JSON holds everything. */
export function exportConversation(
  conversation: Conversation & { messages: ConversationMessage[] },
  format: "md" | "json",
): Response {
  const name = `${fileName(conversation.title)}.${format}`;
  const body = format === "json" ? JSON.stringify(conversation, null, 2) : markdown(conversation);
  return new Response(body, {
    headers: {
      "content-type": `${format === "json" ? "application/json" : "text/markdown"}; charset=utf-8`,
      "content-disposition": `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\]/g, "_")}"; filename*=UTF-8''${encodeRfc5987(name)}`,
    },
  });
}

function markdown({ title, createdAt, messages }: Conversation & { messages: ConversationMessage[] }): string {
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
  for (let message = messages.at(-1); message; message = message.parentId === null ? undefined : byId.get(message.parentId))
    branch.unshift(message);
  return branch;
}

/** No path, no control character, no reserved name; at most 100 characters. */
function fileName(title: string): string {
  const safe = title
    .replace(/[\p{C}/\\:*?"<>|]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  return [...safe].slice(0, 100).join("") || "conversation";
}

/** Source: RFC 5987. */
function encodeRfc5987(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
