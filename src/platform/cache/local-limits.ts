import type { Cache, Limit } from "./cache.ts";

/** Of each limit. */
const MAX_KEYS = 100_000;
/** How many of the oldest keys are looked at for one that counts little. */
const LOOKED_AT = 20;

interface Count {
  points: number;
  endsAt: number;
}

interface LocalLimits extends Pick<Cache, "take" | "giveBack"> {
  removeExpired(): void;
}

/**
 * Limits that count in this process, each for `maxKeys` keys at most. Whoever comes from many
 * addresses makes room among the oldest keys, from the one that has counted least: a key that is
 * at its limit stays there while others are left.
 */
export function localLimits(maxKeys = MAX_KEYS): LocalLimits {
  const limits = new Map<string, Map<string, Count>>();
  const countsOf = ({ name }: Limit) => {
    const counts = limits.get(name) ?? new Map<string, Count>();
    limits.set(name, counts);
    return counts;
  };
  return {
    async take(limit, key) {
      const counts = countsOf(limit);
      const now = performance.now();
      let count = counts.get(key);
      if (count === undefined || count.endsAt <= now) {
        // behind the others, so that the first are the oldest
        counts.delete(key);
        if (counts.size >= maxKeys) makeRoom(counts, now);
        count = { points: 0, endsAt: now + limit.durationMs };
        counts.set(key, count);
      }
      count.points += 1;
      const allowed = count.points <= limit.points;
      return { allowed, retryAfterMs: allowed ? 0 : Math.ceil(count.endsAt - now) };
    },
    async giveBack(limit, key) {
      const count = countsOf(limit).get(key);
      if (count) count.points -= 1;
    },
    removeExpired() {
      const now = performance.now();
      for (const counts of limits.values())
        for (const [key, { endsAt }] of counts) if (endsAt <= now) counts.delete(key);
    },
  };
}

function makeRoom(counts: Map<string, Count>, now: number): void {
  let victim: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  let looked = 0;
  for (const [key, { points, endsAt }] of counts) {
    const weight = endsAt <= now ? Number.NEGATIVE_INFINITY : points;
    if (weight < least) {
      victim = key;
      least = weight;
    }
    looked += 1;
    if (looked === LOOKED_AT) break;
  }
  if (victim !== undefined) counts.delete(victim);
}
