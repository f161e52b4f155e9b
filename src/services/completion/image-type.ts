import { imageTypeOf } from "../../platform/image-type.ts";
import type { Message } from "./contract.ts";

/** What the first bytes of an image are in base64. */
const START_CHARACTERS = 16;

/**
 * The messages with images as what they are. Clients declare any type, and providers refuse an
 * image that is not of its type.
 */
export function withImageTypes(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    const { content } = message;
    if (typeof content === "string") return message;
    return {
      ...message,
      content: content.map((part) =>
        part.type === "image" && part.data !== undefined
          ? { ...part, mediaType: typeIn(part.data) ?? usualName(part.mediaType) }
          : part,
      ),
    };
  });
}

function typeIn(data: string): string | undefined {
  return imageTypeOf(Buffer.from(data.slice(0, START_CHARACTERS), "base64"));
}

function usualName(mediaType: string): string {
  return /^image\/(?:jpg|pjpeg)$/i.test(mediaType) ? "image/jpeg" : mediaType;
}
