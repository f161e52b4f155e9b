import type { Files } from "../../../platform/files/files.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { detectLanguage } from "../../../platform/detect-language.ts";
import type { HeldReading } from "./reading-store.ts";
import type { Medium, Read } from "./work-reading.ts";

/** Each takes one kind of media. */
export interface Readers {
  files: Files;
  speech: (medium: Medium, signal: AbortSignal) => Promise<Read>;
  image: (medium: Medium, signal: AbortSignal) => Promise<Read>;
  document: (medium: Medium, reading: HeldReading, signal: AbortSignal) => Promise<Read>;
}

/** Text as it stands, which needs nobody to read it; HTML and e-mail do. */
const PLAIN = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "application/json",
  "application/xml",
  "text/vtt",
]);
const MAX_TEXT_BYTES = 20 * 2 ** 20;

/**
 * The words of a medium, by its kind: speech is transcribed, an image described, a document parsed.
 */
export function mediumReader({ files, speech, image, document }: Readers) {
  return async (medium: Medium, reading: HeldReading, signal: AbortSignal): Promise<Read> => {
    const { mimeType, size } = medium.medium;
    if (/^(audio|video)\//.test(mimeType)) return speech(medium, signal);
    const read = mimeType.startsWith("image/")
      ? await image(medium, signal)
      : PLAIN.has(mimeType)
        ? { transcript: await readText(files, medium.storageKey, size) }
        : await document(medium, reading, signal);
    return "waitMs" in read || read.language !== undefined
      ? read
      : { ...read, language: (await detectLanguage(read.transcript, 1)).language ?? undefined };
  };
}

async function readText(files: Files, key: string, size: number): Promise<string> {
  if (size > MAX_TEXT_BYTES)
    throw new BadRequest(
      "text_too_large",
      `The text is larger than ${MAX_TEXT_BYTES} bytes. Send a part of it.`,
    );
  const bytes = await new Response(await files.read(key)).arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // no UTF-8, and no control characters, or it would not count as text: an old 8-bit encoding
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
