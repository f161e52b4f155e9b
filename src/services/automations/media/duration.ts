import type { ReadableStream as WebStream } from "node:stream/web";
import { Worker } from "node:worker_threads";
import type { Files } from "../../../platform/files/files.ts";
import type { DurationRequest } from "./duration-worker.ts";

const TIMEOUT_MS = 20_000;
const MEMORY_MB = 128;

/**
 * Seconds that a medium plays, by what its container says (WAV, MP3, MP4, Ogg, WebM, FLAC…);
 * `undefined` where that cannot be read. Read in a thread of its own, which is ended when it takes
 * too long: a few bytes that look like sound keep a reader busy for very long.
 */
export async function durationOf(
  files: Files,
  key: string,
  { mimeType, size }: { mimeType: string; size: number },
): Promise<number | undefined> {
  const reader = (await files.read(key)).getReader();
  const bytes = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  }) as WebStream<Uint8Array>; // the same streams under two names
  const worker = new Worker(new URL("./duration-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  let duration: number | undefined;
  try {
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, TIMEOUT_MS);
      const end = () => {
        clearTimeout(late);
        resolve();
      };
      worker.on("message", (told: { duration?: number; done?: boolean }) => {
        duration = told.duration ?? duration;
        if (told.done) end();
      });
      worker.once("error", end);
      worker.once("exit", end);
      const request: DurationRequest = { bytes, mimeType, size };
      worker.postMessage(request, [bytes]);
    });
  } finally {
    await worker.terminate();
    // the file is closed with its stream
    await reader.cancel().catch(() => {});
  }
  return duration !== undefined && Number.isFinite(duration)
    ? Math.round(duration * 1_000) / 1_000
    : undefined;
}
