import type { Cache } from "../cache/cache.ts";
import type { User } from "./caller.ts";
import { TooManyRequests } from "./errors.ts";
import type { AnyRoute } from "./route.ts";

/** Limits how many streams a user has open at once, by all ways in and on all replicas. */
export interface StreamLimit {
  /** @returns what releases the place, at the latest when it resolves. @throws TooManyRequests `too_many_streams`. */
  enter(user: User, route?: Pick<AnyRoute, "path" | "streamLimit">): Promise<() => Promise<void>>;
}

/** A process that dies releases its places after this time; a live one renews them. */
const LEASE_MS = 30_000;
const RENEWAL_MS = 10_000;
const RETRY_AFTER_MS = 5_000;

/**
 * Each open stream holds one of the user's numbered places in the cache. While the cache is away,
 * each process limits the streams of its own.
 */
export function createStreamLimit(cache: Cache, max: number): StreamLimit {
  const open = new Map<string, number>();
  const count = (user: string, change: number) => {
    const streams = (open.get(user) ?? 0) + change;
    if (streams > 0) open.set(user, streams);
    else open.delete(user);
  };
  return {
    async enter({ clientId, userId }, { path, streamLimit } = { path: "" }) {
      const most = streamLimit ?? max;
      const user = `${clientId}:${userId}${streamLimit === undefined ? "" : path}`;
      if ((open.get(user) ?? 0) >= most) throw tooManyStreams(most);
      count(user, 1);
      const release = await takePlace(cache, user, most).catch(() => async () => {});
      if (!release) {
        count(user, -1);
        throw tooManyStreams(most);
      }
      return () => {
        count(user, -1);
        return release();
      };
    },
  };
}

/** @returns what releases the place; undefined when all are taken. */
async function takePlace(
  cache: Cache,
  user: string,
  max: number,
): Promise<(() => Promise<void>) | undefined> {
  const holder = crypto.randomUUID();
  const start = Math.floor(Math.random() * max);
  for (let tried = 0; tried < max; tried += 1) {
    const place = `stream:${user}:${(start + tried) % max}`;
    if (await cache.add(place, holder, LEASE_MS)) return hold(cache, place, holder);
  }
  return undefined;
}

function tooManyStreams(max: number): TooManyRequests {
  return new TooManyRequests(
    "too_many_streams",
    `You have ${max} streams open, the most that one may have. Close one, or wait for one to end.`,
    RETRY_AFTER_MS,
  );
}

/** Whether a route may answer with a stream: such answers stay open for long. */
export function mayStream({ stream, produces }: AnyRoute): boolean {
  return stream !== undefined || produces?.includes("text/event-stream") === true;
}

function hold(cache: Cache, place: string, holder: string): () => Promise<void> {
  // a cache that is away neither ends a stream nor keeps its place longer than the lease
  const renew = async () => {
    if (((await cache.get(place)) ?? holder) === holder) await cache.set(place, holder, LEASE_MS);
  };
  const timer = setInterval(() => void renew().catch(() => {}), RENEWAL_MS).unref();
  return () => {
    clearInterval(timer);
    return release(cache, place, holder).catch(() => {});
  };
}

async function release(cache: Cache, place: string, holder: string): Promise<void> {
  if ((await cache.get(place)) === holder) await cache.delete(place);
}
