import type { Cache } from "../cache/cache.ts";
import type { Change, ChangedType } from "./contract-changes.ts";
import type { Subscription } from "../background/job.ts";

const channelOf = (userId: string) => `changes:${userId}`;
const SHARED_CHANNEL = "changes-shared";

/** For so long it is known when something changed last. Whoever missed more reads all again. */
const KEPT_MS = 60_000;
/** By so much the clocks of two replicas may differ. */
const CLOCKS_MS = 500;

/** Of a user, or of a kind in a tenant or in all. */
const lastChangeOf = (owner: string) => `last-change:${owner}`;
const ofKind = (type: ChangedType, clientId = "*") => `${type}:${clientId}`;

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
    announce(cache, { channel: channelOf(userId), owner: userId, message });
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
  const owner = ofKind(change.type, change.clientId);
  announce(cache, { channel: SHARED_CHANNEL, owner, message: JSON.stringify(change) });
}

/** The time is kept first: whoever subscribes too late for the message finds it. */
function announce(
  cache: Cache,
  { channel, owner, message }: { channel: string; owner: string; message: string },
): void {
  // without the time, a client that begins in this moment may miss it
  cache.set(lastChangeOf(owner), `${Date.now()}`, KEPT_MS, owner).catch(() => {});
  // a client that misses it reads again when it reconnects
  cache.publish(channel, message).catch(() => {});
}

/** Whose changes, and of which kinds those of everybody. */
interface Interests {
  userId: string;
  clientId: string;
  sharedTypes: readonly ChangedType[];
}

/** Whether something may have changed within this time: so too where nobody can know. */
export async function hasChangedWithin(
  cache: Cache,
  { userId, clientId, sharedTypes }: Interests,
  durationMs: number,
): Promise<boolean> {
  if (durationMs > KEPT_MS - CLOCKS_MS) return true;
  const since = Date.now() - durationMs - CLOCKS_MS;
  const shared = sharedTypes.flatMap((type) => [ofKind(type), ofKind(type, clientId)]);
  const times = [userId, ...shared].map((owner) => cache.get(lastChangeOf(owner)));
  try {
    return (await Promise.all(times)).some((time) => Number(time) >= since);
  } catch {
    return true; // the cache does not answer
  }
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

/** Changes within this time are published once, because progress changes many times a second. */
const GATHER_MS = 300;
const MAX_PENDING = 1_000;

/** Returns the owners of resources, by their ids. */
type FindOwners = (ids: readonly string[]) => Promise<{ id: string; userId: string }[]>;

/**
 * A subscription that turns notifications of the database, whose payload is an id, into changes for
 * the owners. Every replica does so, and clients take a change that is repeated as one.
 */
export function forwardChanges(
  cache: Cache,
  channel: string,
  type: ChangedType,
  findOwners: FindOwners,
): Subscription {
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const publish = async () => {
    timer = undefined;
    const ids = [...pending];
    pending.clear();
    for (const { id, userId } of await findOwners(ids))
      publishChange(cache, [userId], { type, id });
  };
  return {
    channel,
    onNotification(id) {
      if (pending.size < MAX_PENDING) pending.add(id);
      // a lost change is made up for when the page is next opened
      timer ??= setTimeout(() => void publish().catch(() => {}), GATHER_MS).unref();
    },
  };
}
