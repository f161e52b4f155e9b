import { hash } from "node:crypto";
import type { CompletionRequest } from "./contract.ts";

/** What tells conversations apart that have no id. */
const MAX_KEY_CHARACTERS = 4_000;

/**
 * What the requests of one conversation with a model have in common: its id or, where clients send
 * all messages each time, how these begin.
 */
export function conversationKey(
  model: string,
  { context = {}, messages }: Pick<CompletionRequest, "context" | "messages">,
): string {
  const { conversationId, userId = "" } = context;
  if (conversationId !== undefined) return hash("sha256", `${model}\n${conversationId}`);
  const first = messages.findIndex(({ role }) => role === "user");
  const beginning = messages.slice(0, Math.min(first + 1 || 1, 10)).map(beginningOf);
  return hash("sha256", [model, userId, ...beginning].join("\n"));
}

function beginningOf({ content }: CompletionRequest["messages"][number]): string {
  if (typeof content === "string") return content.slice(0, MAX_KEY_CHARACTERS);
  const texts = content.map((part) => (part.type === "text" ? part.text : ""));
  return texts.join("\n").slice(0, MAX_KEY_CHARACTERS);
}
