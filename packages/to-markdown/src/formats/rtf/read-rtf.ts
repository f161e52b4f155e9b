import type { FileContent, ReadOptions } from "../finish-file.ts";
import { imageStore } from "../image-store.ts";
import { RtfReader } from "./rtf-reader.ts";
import { rtfTokens } from "./tokens.ts";

/** The number of tokens between two checks of the signal. */
const TOKENS_PER_CHECK = 100_000;

/**
 * Reads rich text (RTF specification 1.9.1).
 * @throws FileError `too_complex`.
 */
export async function readRtf(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const reader = new RtfReader(imageStore(extractImages), extractImages === true);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "latin1",
  );
  let count = 0;
  for (const token of rtfTokens(text)) {
    count += 1;
    if (count % TOKENS_PER_CHECK === 0) signal?.throwIfAborted();
    if (token.kind === "open") reader.open();
    else if (token.kind === "close") reader.close();
    else if (token.kind === "word") reader.word(token.name, token.value);
    else if (token.kind === "byte") reader.byte(token.value);
    else if (token.kind === "text") reader.text(token.text);
  }
  return reader.finish();
}
