import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { parentPort } from "node:worker_threads";
import { parseStream } from "music-metadata";

/** The message to the worker: the bytes of one medium. */
export interface DurationRequest {
  bytes: WebStream<Uint8Array>;
  mimeType: string;
  size: number;
}

parentPort?.once(
  "message",
  ({ bytes, mimeType, size }: DurationRequest) => void sendDurations(bytes, mimeType, size),
);

/**
 * Sends each duration that the parser reports, so that one found before an unreadable part counts
 * too, and then `done`.
 */
async function sendDurations(
  bytes: WebStream<Uint8Array>,
  mimeType: string,
  size: number,
): Promise<void> {
  const observer = ({ metadata }: { metadata: { format: { duration?: number } } }) =>
    parentPort?.postMessage({ duration: metadata.format.duration });
  const options = { duration: true, skipCovers: true, skipPostHeaders: true, observer };
  try {
    await parseStream(Readable.fromWeb(bytes), { mimeType, size }, options);
  } catch {
    // an unknown or broken container has no duration
  } finally {
    parentPort?.postMessage({ done: true });
  }
}
