import type { Cache } from "../../platform/cache/cache.ts";
import type { Hint } from "../../platform/hints/contract-hints.ts";
import { subscribeToHints, subscribeToSharedHints } from "../../platform/hints/hints.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { openSubscription } from "../../platform/subscription.ts";
import type { BrowserEvent } from "../contract.ts";
import { isInAudience } from "./audiences.ts";

/** More hints than this between two reads become one `resync`. */
const MAX_PENDING = 500;
/** Hints within this time are sent together, each once. */
const GATHER_MS = 100;
const WAKE_INTERVAL_MS = 60_000;

interface Options {
  cache: Cache;
  guard: Guard;
  /** The user, with the roles that they have now. */
  user: () => User;
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
  guard,
  user,
  isResumed,
  signal,
}: Options): AsyncGenerator<BrowserEvent[]> {
  const pending = new Map<string, BrowserEvent>();
  let isOverflown = false;
  await using changes = await openSubscription(
    (notify) =>
      subscribe({ cache, guard, user }, ({ type, id }) => {
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

/** Subscribes to the user's own hints, and to the shared ones that the user may see. */
async function subscribe(
  { cache, guard, user }: Pick<Options, "cache" | "guard" | "user">,
  listener: (hint: Hint) => void,
): Promise<AsyncDisposable> {
  const { userId, clientId } = user();
  const own = await subscribeToHints(cache, userId, listener);
  const shared = await subscribeToSharedHints(cache, (hint) => {
    if (hint.clientId !== undefined && hint.clientId !== clientId) return;
    isInAudience(guard, user(), hint.type)
      .then((isFor) => isFor && listener(hint))
      .catch(() => {}); // a hint may be lost: it counts only where the roles are known
  });
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([own[Symbol.asyncDispose](), shared[Symbol.asyncDispose]()]);
    },
  };
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
