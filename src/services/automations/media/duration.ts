import type { ReadableStream as WebStream } from "node:stream/web";
import { Worker } from "node:worker_threads";
import type { Files } from "../../../platform/files/files.ts";
import type { DurationRequest } from "./duration-worker.ts";

const TIMEOUT_MS = 20_000;
const MAX_HEAP_MB = 128;

/**
 * The duration of a medium in seconds, as its container states it (WAV, MP3, MP4, Ogg, WebM,
 * FLAC…); `undefined` if it cannot be read. A thread with a time limit reads it, because a few
 * bytes that look like sound can keep the parser busy for long.
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
  }) as WebStream<Uint8Array>; // Node.js declares the same type twice
  const worker = new Worker(new URL("./duration-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let duration: number | undefined;
  try {
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, TIMEOUT_MS);
      const end = () => {
        clearTimeout(timeout);
        resolve();
      };
      worker.on("message", (message: { duration?: number; done?: boolean }) => {
        duration = message.duration ?? duration;
        if (message.done) end();
      });
      worker.once("error", end);
      worker.once("exit", end);
      const request: DurationRequest = { bytes, mimeType, size };
      worker.postMessage(request, [bytes]);
    });
  } finally {
    await worker.terminate();
    // closes the file
    await reader.cancel().catch(() => {});
  }
  return duration !== undefined && Number.isFinite(duration)
    ? Math.round(duration * 1_000) / 1_000
    : undefined;
}
