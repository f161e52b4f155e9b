import type { Cache } from "../../platform/cache/cache.ts";
import { subscribeToHints } from "../../platform/hints/hints.ts";
import { openSubscription } from "../../platform/subscription.ts";
import type { BrowserEvent } from "../contract.ts";

/** More hints than this between two reads become one `resync`. */
const MAX_PENDING = 500;
/** Hints within this time are sent together, each once. */
const GATHER_MS = 100;
const WAKE_INTERVAL_MS = 60_000;

interface Options {
  cache: Cache;
  userId: string;
  /** Whether the client had a connection before, and may have missed hints. */
  isResumed: boolean;
  signal: AbortSignal;
}

/**
 * Yields what changes for a user, until the signal aborts. After a gap the client gets `resync`,
 * and reads all displayed data again.
 */
export async function* followHints({
  cache,
  userId,
  isResumed,
  signal,
}: Options): AsyncGenerator<BrowserEvent[]> {
  const pending = new Map<string, BrowserEvent>();
  let isOverflown = false;
  await using changes = await openSubscription(
    (notify) =>
      subscribeToHints(cache, userId, ({ type, id }) => {
        isOverflown ||= pending.size >= MAX_PENDING;
        if (!isOverflown) pending.set(`${type} ${id ?? ""}`, { type, id: id ?? null });
        notify();
      }),
    { everyMs: WAKE_INTERVAL_MS, signal },
  );
  yield [{ type: isResumed ? "resync" : "ready" }];
  while (!signal.aborted) {
    await changes.next();
    if (pending.size === 0 || signal.aborted) continue;
    await delay(GATHER_MS, signal);
    const events = isOverflown ? [{ type: "resync" } as const] : [...pending.values()];
    pending.clear();
    isOverflown = false;
    yield events;
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
