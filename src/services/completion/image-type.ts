import type { Message } from "./contract.ts";

/** The first bytes of images in base64. */
const SIGNATURES: [start: string, mediaType: string][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

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
          ? { ...part, mediaType: imageTypeOf(part.data) ?? usualName(part.mediaType) }
          : part,
      ),
    };
  });
}

/** The type of an image that providers know, by its first bytes in base64. */
export function imageTypeOf(data: string): string | undefined {
  return SIGNATURES.find(([start]) => data.startsWith(start))?.[1];
}

function usualName(mediaType: string): string {
  return /^image\/(?:jpg|pjpeg)$/i.test(mediaType) ? "image/jpeg" : mediaType;
}
