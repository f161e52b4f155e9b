import { setTimeout as sleep } from "node:timers/promises";
import { Poison } from "./queue.ts";

/**
 * What runs has this long to end when a consumer closes; then its signal aborts; a little later it
 * is left behind and comes again elsewhere.
 */
const FINISH_MS = 10_000;
const ABORTED_MS = 2_000;

/** Waits for work to end, in bounded time, whatever its handlers do with their signal. */
export async function finishWork(
  work: Promise<unknown>,
  abandoned: AbortController,
): Promise<void> {
  const late = setTimeout(() => abandoned.abort(), FINISH_MS).unref();
  await Promise.race([work, sleep(FINISH_MS + ABORTED_MS, undefined, { ref: false })]);
  clearTimeout(late);
}

/** What becomes of a message whose handler threw. */
export function judge(
  error: unknown,
  attempt: number,
  tries: number,
): { reason: string; last: boolean } {
  return {
    reason: error instanceof Error ? error.message : String(error),
    last: error instanceof Poison || attempt >= tries,
  };
}
