import type { Files } from "../../../platform/files/files.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { detectLanguage } from "../../../platform/detect-language.ts";
import type { HeldReading } from "./reading-store.ts";
import type { Medium, ReadResult } from "./work-reading.ts";

/** A reader for each kind of media. */
export interface Readers {
  files: Files;
  speech: (medium: Medium, signal: AbortSignal) => Promise<ReadResult>;
  image: (medium: Medium, signal: AbortSignal) => Promise<ReadResult>;
  document: (
    medium: Medium,
    reading: HeldReading,
    signal: AbortSignal,
  ) => Promise<ReadResult>;
}

/** Text that needs no parser, unlike HTML and e-mail. */
const PLAIN_TEXT_TYPES = new Set([
  "text/plain",
  "text/markdown",
  "text/csv",
  "application/json",
  "application/xml",
  "text/vtt",
]);
const MAX_TEXT_BYTES = 20 * 2 ** 20;

/**
 * Returns a function that turns a medium into text: it transcribes speech, describes images and
 * parses documents.
 */
export function createMediumReader({ files, speech, image, document }: Readers) {
  const read = async (
    medium: Medium,
    reading: HeldReading,
    signal: AbortSignal,
  ): Promise<ReadResult> => {
    const { mimeType, size } = medium.medium;
    if (mimeType.startsWith("image/")) return image(medium, signal);
    if (!PLAIN_TEXT_TYPES.has(mimeType)) return document(medium, reading, signal);
    return { transcript: await readText(files, medium.storageKey, size) };
  };
  return async (
    medium: Medium,
    reading: HeldReading,
    signal: AbortSignal,
  ): Promise<ReadResult> => {
    const { mimeType } = medium.medium;
    if (/^(audio|video)\//.test(mimeType)) return speech(medium, signal);
    const result = await read(medium, reading, signal);
    if ("waitMs" in result || result.language !== undefined) return result;
    const { language } = await detectLanguage(result.transcript, 1);
    return { ...result, language: language ?? undefined };
  };
}

async function readText(files: Files, key: string, size: number): Promise<string> {
  if (size > MAX_TEXT_BYTES)
    throw new BadRequest(
      "text_too_large",
      `The text is larger than ${MAX_TEXT_BYTES} bytes. Send a part of it.`,
      { params: { maxBytes: MAX_TEXT_BYTES } },
    );
  const bytes = await new Response(await files.read(key)).arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // text that is not UTF-8 is in an older 8-bit encoding
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
