import type { Cache, Limit } from "../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../platform/cache/take-or-refuse.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { TooManyRequests } from "../../platform/http/errors.ts";

export const PARSES: Limit = { name: "parser-parse", points: 10, durationMs: 60_000 };
/** Files in the messages of clients. */
export const TEXTS: Limit = { name: "parser-text", points: 10, durationMs: 60_000 };
/** As expensive as parsing a file. */
export const CONVERSIONS: Limit = {
  name: "parser-conversion",
  points: 30,
  durationMs: 60_000,
};
export const JOBS: Limit = { name: "parser-parse-async", points: 30, durationMs: 60_000 };

/** Counts a request of a caller. @throws TooManyRequests `rate_limited`. */
export async function limitRequests(
  cache: Cache,
  limit: Limit,
  { caller, peer }: { caller: Caller; peer: string },
): Promise<void> {
  // a service could name any user_id, so it is counted by its address
  await limitUser(cache, limit, caller.kind === "user" ? caller.userId : peer);
}

/** Counts a request in the name of a user. @throws TooManyRequests `rate_limited`. */
export function limitUser(cache: Cache, limit: Limit, key: string): Promise<void> {
  const tooMany = (retryAfterMs: number) =>
    new TooManyRequests(
      "rate_limited",
      `At most ${limit.points} files a minute. Wait a moment, then send it again.`,
      retryAfterMs,
      { params: { max: limit.points } },
    );
  return takeOrRefuse(cache, limit, key, tooMany);
}
