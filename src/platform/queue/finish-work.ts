import { ApiError } from "../http/errors.ts";
import { reportError } from "../http/reported-error.ts";
import { type AttemptFailure, Poison } from "./queue.ts";
import { endsWithin } from "../within.ts";

/** How long handlers have to end when a consumer closes. Then their signal aborts. */
const FINISH_MS = 10_000;
/** How long they have after that. Messages that are still in progress are delivered again. */
const ABORTED_MS = 2_000;

/** Waits for work to end, in bounded time, also for handlers that ignore their signal. */
export async function finishWork(
  work: Promise<unknown>,
  abandoned: AbortController,
): Promise<void> {
  const late = setTimeout(() => abandoned.abort(), FINISH_MS).unref();
  await endsWithin(FINISH_MS + ABORTED_MS, work);
  clearTimeout(late);
}

/** Says why a handler failed, and whether this was the last attempt. */
export function judgeFailure(
  error: unknown,
  attempt: number,
  maxAttempts: number,
): { failure: AttemptFailure; isLast: boolean } {
  return {
    failure: toAttemptFailure(error),
    isLast: error instanceof Poison || attempt >= maxAttempts,
  };
}

function toAttemptFailure(error: unknown): AttemptFailure {
  if (error instanceof Poison || error instanceof ApiError) return reportError(error);
  return { error: error instanceof Error ? error.message : String(error) };
}

/** For a message whose attempts all ended without an answer. */
export function workerEnded(): Poison {
  return new Poison(
    "worker_ended",
    "The worker ended during every attempt. Read its log for the reason, then retry.",
  );
}
