import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Cache, Limit } from "./cache.ts";

/** The oldest entries are removed beyond this. A cache may lose them. */
const MAX_ENTRIES = 100_000;
const CLEANUP_INTERVAL_MS = 30_000;

/** A cache in the memory of one process. */
export function memoryCache(): Cache {
  const { removeExpired: removeExpiredEntries, ...entries } = memoryEntries();
  const { removeExpired: removeExpiredLogs, ...logs } = memoryLogs();
  const limiters = localLimiters();
  const cleanup = setInterval(() => {
    removeExpiredEntries();
    removeExpiredLogs();
  }, CLEANUP_INTERVAL_MS).unref();
  return {
    ...entries,
    ...logs,
    ...memoryChannels(),
    take: (limit, key) => consumed(limiters(limit).consume(key)),
    async giveBack(limit, key) {
      await limiters(limit).reward(key);
    },
    async ping() {},
    async [Symbol.asyncDispose]() {
      clearInterval(cleanup);
    },
  };
}

/** A part of the cache whose contents expire. */
type Expiring<Names extends keyof Cache> = Pick<Cache, Names> & { removeExpired(): void };

function memoryEntries(): Expiring<"get" | "set" | "add" | "delete"> {
  const entries = new Map<string, { value: string; endsAt: number }>();
  const live = (key: string) => {
    const entry = entries.get(key);
    if (entry && entry.endsAt <= performance.now()) entries.delete(key);
    return entry && entry.endsAt > performance.now() ? entry : undefined;
  };
  const put = (key: string, value: string, ttlMs: number) => {
    entries.delete(key);
    entries.set(key, { value, endsAt: performance.now() + ttlMs });
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value ?? "");
  };
  return {
    get: async (key) => live(key)?.value ?? null,
    set: async (key, value, ttlMs) => put(key, value, ttlMs),
    async add(key, value, ttlMs) {
      if (live(key)) return false;
      put(key, value, ttlMs);
      return true;
    },
    async delete(key) {
      entries.delete(key);
    },
    removeExpired: () => removeExpired(entries),
  };
}

function memoryLogs(): Expiring<"append" | "read"> {
  const logs = new Map<string, { items: string[]; endsAt: number }>();
  return {
    async append(log, items, ttlMs, { begins }) {
      const stored = logs.get(log);
      const isLive = stored !== undefined && stored.endsAt > performance.now();
      if (!begins && !isLive) return false;
      const entry = isLive ? stored : { items: [], endsAt: 0 };
      entry.items.push(...items);
      entry.endsAt = performance.now() + ttlMs;
      logs.set(log, entry);
      return true;
    },
    async read(log, from, limit = Number.POSITIVE_INFINITY) {
      const stored = logs.get(log);
      if (!stored || stored.endsAt <= performance.now()) return null;
      return stored.items.slice(from, from + limit);
    },
    removeExpired: () => removeExpired(logs),
  };
}

function removeExpired(entries: Map<string, { endsAt: number }>): void {
  const now = performance.now();
  for (const [key, { endsAt }] of entries) if (endsAt <= now) entries.delete(key);
}

function memoryChannels(): Pick<Cache, "publish" | "subscribe"> {
  const listeners = new Map<string, Set<(message: string) => void>>();
  return {
    async publish(channel, message) {
      for (const listener of listeners.get(channel) ?? []) listener(message);
    },
    async subscribe(channel, listener) {
      const sameChannel = listeners.get(channel) ?? new Set();
      listeners.set(channel, sameChannel.add(listener));
      return {
        async [Symbol.asyncDispose]() {
          sameChannel.delete(listener);
          if (sameChannel.size === 0) listeners.delete(channel);
        },
      };
    },
  };
}

/** Limits that count in this process. */
function localLimiters(): (limit: Limit) => RateLimiterMemory {
  const limiters = new Map<string, RateLimiterMemory>();
  return (limit) => {
    const limiter =
      limiters.get(limit.name) ??
      new RateLimiterMemory({
        keyPrefix: limit.name,
        points: limit.points,
        duration: limit.durationMs / 1000,
      });
    limiters.set(limit.name, limiter);
    return limiter;
  };
}

/** Reads the outcome of rate-limiter-flexible, which rejects with it when the limit is reached. */
export async function consumed(
  attempt: Promise<unknown>,
): Promise<{ allowed: boolean; retryAfterMs: number }> {
  try {
    await attempt;
    return { allowed: true, retryAfterMs: 0 };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes)
      return { allowed: false, retryAfterMs: refusal.msBeforeNext };
    throw refusal;
  }
}
