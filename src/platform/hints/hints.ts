import type { Cache } from "../cache/cache.ts";
import type { Hint } from "./contract-hints.ts";

const channelOf = (userId: string) => `hints:${userId}`;
const SHARED_CHANNEL = "hints-shared";

/** A hint for everybody who may see what changed. */
export interface SharedHint extends Hint {
  /** The tenant that it concerns; undefined: all of them. */
  clientId?: string | undefined;
}

/**
 * Notifies all replicas that something changed for these users. A hint may be lost, and a failure
 * to send one is ignored.
 */
export function publishHint(cache: Cache, userIds: readonly string[], hint: Hint): void {
  const message = JSON.stringify(hint);
  for (const userId of new Set(userIds))
    cache.publish(channelOf(userId), message).catch(() => {});
}

export function subscribeToHints(
  cache: Cache,
  userId: string,
  listener: (hint: Hint) => void,
): Promise<AsyncDisposable> {
  // `publishHint` wrote it
  return cache.subscribe(channelOf(userId), (message) =>
    listener(JSON.parse(message) as Hint),
  );
}

/** Notifies the followers on all replicas, who pass it on to those who may see it. */
export function publishSharedHint(cache: Cache, hint: SharedHint): void {
  cache.publish(SHARED_CHANNEL, JSON.stringify(hint)).catch(() => {});
}

export function subscribeToSharedHints(
  cache: Cache,
  listener: (hint: SharedHint) => void,
): Promise<AsyncDisposable> {
  // `publishSharedHint` wrote it
  return cache.subscribe(SHARED_CHANNEL, (message) =>
    listener(JSON.parse(message) as SharedHint),
  );
}
