import type { TooManyRequests } from "../http/errors.ts";
import type { Cache, Limit } from "./cache.ts";

/**
 * Counts a request of a key against a rate. docs/limits.md lists all rates.
 * @throws what `refusal` makes of the time to wait, in ms, when there were too many.
 */
export async function takeOrRefuse(
  cache: Pick<Cache, "take">,
  limit: Limit,
  key: string,
  refusal: (retryAfterMs: number) => TooManyRequests,
): Promise<void> {
  const { allowed, retryAfterMs } = await cache.take(limit, key);
  if (!allowed) throw refusal(retryAfterMs);
}
