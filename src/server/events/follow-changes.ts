import type { Cache } from "../../platform/cache/cache.ts";
import type { Change } from "../../platform/changes/contract-changes.ts";
import {
  hasChangedWithin,
  subscribeToChanges,
  subscribeToSharedChanges,
} from "../../platform/changes/publish-changes.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { openSubscription } from "../../platform/subscription.ts";
import type { BrowserEvent } from "../contract.ts";
import { audienceOf, isInAudience } from "./audiences.ts";

/** More changes than this between two reads become one `resync`. */
const MAX_PENDING = 500;
/** Changes within this time are sent together, each once. */
const GATHER_MS = 100;
const WAKE_INTERVAL_MS = 60_000;

interface Options {
  cache: Cache;
  guard: Guard;
  /** The user, with the roles that they have now. */
  user: () => User;
  /** For how long the client has shown data without being connected: it may have missed changes. */
  unseenForMs: number;
  signal: AbortSignal;
}

/**
 * Yields what changes for a user, until the signal aborts. A client that may have missed something
 * gets `resync`, and reads all displayed data again.
 */
export async function* followChanges({
  cache,
  guard,
  user,
  unseenForMs,
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
  // asked once the subscription stands: what changes from here on is heard
  const hasMissed =
    unseenForMs > 0 && (await hasMissedChange({ cache, guard, user }, unseenForMs));
  yield [{ type: hasMissed ? "resync" : "ready" }];
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

async function hasMissedChange(
  { cache, guard, user }: Pick<Options, "cache" | "guard" | "user">,
  unseenForMs: number,
): Promise<boolean> {
  const { userId, clientId } = user();
  const sharedTypes = await audienceOf(guard, user());
  return hasChangedWithin(cache, { userId, clientId, sharedTypes }, unseenForMs);
}

/** Subscribes to the user's own changes, and to the shared ones that the user may see. */
async function subscribe(
  { cache, guard, user }: Pick<Options, "cache" | "guard" | "user">,
  listener: (change: Change) => void,
): Promise<AsyncDisposable> {
  const { userId, clientId } = user();
  const own = await subscribeToChanges(cache, userId, listener);
  const shared = await subscribeToSharedChanges(cache, (change) => {
    if (change.clientId !== undefined && change.clientId !== clientId) return;
    isInAudience(guard, user(), change.type)
      .then((isFor) => isFor && listener(change))
      .catch(() => {}); // a change may be lost: it counts only where the roles are known
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
