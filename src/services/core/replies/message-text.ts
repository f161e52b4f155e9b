import type { Message } from "../../completion/contract.ts";

/** What a person typed: the parts after it are files. */
export function typedText({ content }: Message): string {
  if (typeof content === "string") return content;
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}
