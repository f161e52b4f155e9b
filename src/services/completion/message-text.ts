import type { Message } from "./contract.ts";

/** The text of a message, without its images. */
export function textOf({ content }: Pick<Message, "content">, separator = ""): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join(separator);
}
