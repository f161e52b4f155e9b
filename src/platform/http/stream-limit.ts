import type { Cache } from "../cache/cache.ts";
import type { User } from "./caller.ts";
import { TooManyRequests } from "./errors.ts";
import type { AnyRoute } from "./route.ts";

/** Limits the streams that a user has open at once, over all routes and replicas. */
export interface StreamLimit {
  /**
   * @returns a function that releases the place.
   * @throws TooManyRequests `too_many_streams`.
   */
  enter(
    user: User,
    route?: Pick<AnyRoute, "path" | "streamLimit">,
  ): Promise<() => Promise<void>>;
}

/** The places of a process that died become free after this time. A running process renews them. */
const LEASE_MS = 30_000;
const RENEWAL_MS = 10_000;
const RETRY_AFTER_MS = 5_000;

/**
 * Each open stream holds one of the user's numbered places in the cache. While the cache is
 * unavailable, each process limits its own streams.
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

/** @returns a function that releases the place, or undefined when all are taken. */
async function takePlace(
  cache: Cache,
  user: string,
  max: number,
): Promise<(() => Promise<void>) | undefined> {
  const holder = crypto.randomUUID();
  const start = Math.floor(Math.random() * max);
  for (let tried = 0; tried < max; tried += 1) {
    const place = `stream:${user}:${(start + tried) % max}`;
    if (await cache.add(place, holder, LEASE_MS, user))
      return hold(cache, { place, holder, user });
  }
  return undefined;
}

function tooManyStreams(max: number): TooManyRequests {
  return new TooManyRequests(
    "too_many_streams",
    `You have ${max} streams open, the maximum for one user. Close one, or wait for one to end.`,
    RETRY_AFTER_MS,
    { params: { max } },
  );
}

/** Whether a route may answer with a stream, which stays open for long. */
export function mayStream({ stream, produces }: AnyRoute): boolean {
  return stream !== undefined || produces?.includes("text/event-stream") === true;
}

function hold(
  cache: Cache,
  { place, holder, user }: { place: string; holder: string; user: string },
): () => Promise<void> {
  let renewal = Promise.resolve();
  const renew = async () => {
    if (((await cache.get(place)) ?? holder) === holder)
      await cache.set(place, holder, LEASE_MS, user);
  };
  // an unavailable cache neither ends a stream nor keeps its place beyond the lease
  const timer = setInterval(() => (renewal = renew().catch(() => {})), RENEWAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await renewal; // it would take the place again
    // its lease ends by itself
    await release(cache, place, holder).catch(() => {});
  };
}

async function release(cache: Cache, place: string, holder: string): Promise<void> {
  if ((await cache.get(place)) === holder) await cache.delete(place);
}
