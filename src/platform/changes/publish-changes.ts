import type { Cache } from "../cache/cache.ts";
import type { Change } from "./contract-changes.ts";

const channelOf = (userId: string) => `changes:${userId}`;
const SHARED_CHANNEL = "changes-shared";

/** A change for everybody who may see the resource. */
export interface SharedChange extends Change {
  /** The tenant that it concerns; undefined: all of them. */
  clientId?: string | undefined;
}

/**
 * Notifies all replicas that something changed for these users. A message may be lost, and a
 * failure to send one is ignored: clients read everything again when they reconnect.
 */
export function publishChange(
  cache: Cache,
  userIds: readonly string[],
  change: Change,
): void {
  const message = JSON.stringify(change);
  for (const userId of new Set(userIds))
    // a client that misses it reads again when it reconnects
    cache.publish(channelOf(userId), message).catch(() => {});
}

export function subscribeToChanges(
  cache: Cache,
  userId: string,
  listener: (change: Change) => void,
): Promise<AsyncDisposable> {
  // `publishChange` wrote it
  return cache.subscribe(channelOf(userId), (message) =>
    listener(JSON.parse(message) as Change),
  );
}

/** Notifies the followers on all replicas, who pass it on to those who may see it. */
export function publishSharedChange(cache: Cache, change: SharedChange): void {
  // a client that misses it reads again when it reconnects
  cache.publish(SHARED_CHANNEL, JSON.stringify(change)).catch(() => {});
}

export function subscribeToSharedChanges(
  cache: Cache,
  listener: (change: SharedChange) => void,
): Promise<AsyncDisposable> {
  // `publishSharedChange` wrote it
  return cache.subscribe(SHARED_CHANNEL, (message) =>
    listener(JSON.parse(message) as SharedChange),
  );
}
