import { estimateTokens } from "../../platform/estimate-tokens.ts";
import type { Message } from "./contract.ts";

/** Models count an image by its width and height, never by the length of its file. */
const TOKENS_PER_IMAGE = 1_000;

/** An estimate of the tokens of messages, for replies whose provider reports no usage. */
export function estimateInput(messages: readonly Message[]): number {
  let images = 0;
  const texts = messages.map((message) => {
    if (typeof message.content === "string") return message;
    const content = message.content.filter(({ type }) => type === "text");
    images += message.content.length - content.length;
    return { ...message, content };
  });
  return estimateTokens(JSON.stringify(texts).length) + images * TOKENS_PER_IMAGE;
}
