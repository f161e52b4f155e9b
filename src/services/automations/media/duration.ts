import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Files } from "../../../platform/files/files.ts";

const TIMEOUT_MS = 30_000;

/** Seconds that a medium plays, by what its container says (WAV, MP3, MP4, Ogg, WebM, FLAC…); `undefined` where that cannot be read. */
export async function durationOf(
  files: Files,
  key: string,
  { mimeType, size }: { mimeType: string; size: number },
): Promise<number | undefined> {
  const { parseStream } = await import("music-metadata");
  const bytes = Readable.fromWeb((await files.read(key)) as WebStream<Uint8Array>); // the same streams under two names
  // a broken file may keep its reader waiting
  const late = setTimeout(() => bytes.destroy(new Error("too slow")), TIMEOUT_MS);
  let duration: number | undefined;
  const options = { duration: true, skipCovers: true, skipPostHeaders: true };
  try {
    // what was found before a part that cannot be read counts as well
    const observer = ({ metadata }: { metadata: { format: { duration?: number } } }) => (duration = metadata.format.duration);
    await parseStream(bytes, { mimeType, size }, { ...options, observer });
  } catch {
    // of no container that is known, or broken
  } finally {
    clearTimeout(late);
    bytes.destroy();
  }
  return duration !== undefined && Number.isFinite(duration) ? Math.round(duration * 1_000) / 1_000 : undefined;
}
