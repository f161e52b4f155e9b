import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { parentPort } from "node:worker_threads";
import { parseStream } from "music-metadata";

/** What the worker is asked: the bytes of one medium. */
export interface DurationRequest {
  bytes: WebStream<Uint8Array>;
  mimeType: string;
  size: number;
}

parentPort?.once(
  "message",
  ({ bytes, mimeType, size }: DurationRequest) => void tell(bytes, mimeType, size),
);

/**
 * Tells each duration that is found: what was found before a part that cannot be read counts as
 * well; then that it is done.
 */
async function tell(bytes: WebStream<Uint8Array>, mimeType: string, size: number): Promise<void> {
  const observer = ({ metadata }: { metadata: { format: { duration?: number } } }) =>
    parentPort?.postMessage({ duration: metadata.format.duration });
  const options = { duration: true, skipCovers: true, skipPostHeaders: true, observer };
  try {
    await parseStream(Readable.fromWeb(bytes), { mimeType, size }, options);
  } catch {
    // of no container that is known, or broken
  } finally {
    parentPort?.postMessage({ done: true });
  }
}
