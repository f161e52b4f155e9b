import type { Cache } from "../cache/cache.ts";
import type { Hint } from "./contract-hints.ts";

const channelOf = (userId: string) => `hints:${userId}`;

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
