import { buffer } from "node:stream/consumers";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Files } from "../../../platform/files/files.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { Task } from "../../../platform/workers/task.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import type readDuration from "./read-duration.ts";

const READ_DURATION: Task<typeof readDuration> = {
  file: new URL("./read-duration.ts", import.meta.url),
  timeoutMs: 20_000,
  advice: "The medium is processed without its duration.",
};
/** The whole medium goes to the worker. Common transcription services take no larger one. */
const MAX_BYTES = 25 * 2 ** 20;

interface DurationDeps {
  files: Pick<Files, "read">;
  workers: Pick<Workers, "run">;
}

/**
 * The duration of a medium in seconds, as its container states it (WAV, MP3, MP4, Ogg, WebM,
 * FLAC…); `undefined` if it cannot be read, or the medium is too large.
 */
export async function durationOf(
  { files, workers }: DurationDeps,
  key: string,
  { mimeType, size }: { mimeType: string; size: number },
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (size > MAX_BYTES) return undefined;
  // the same streams under two names
  const bytes = await buffer((await files.read(key)) as WebStream<Uint8Array>);
  try {
    const duration = await workers.run(READ_DURATION, { bytes, mimeType }, { signal });
    return duration !== undefined && Number.isFinite(duration)
      ? Math.round(duration * 1_000) / 1_000
      : undefined;
  } catch (error) {
    if (signal?.aborted || !(error instanceof ApiError)) throw error;
    return undefined;
  }
}
