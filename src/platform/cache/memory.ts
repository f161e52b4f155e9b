import { RateLimiterRes } from "rate-limiter-flexible";
import { BoundedEntries } from "./bounded-entries.ts";
import { localLimits } from "./local-limits.ts";
import type { Cache, LocalLogs } from "./cache.ts";

/** Of each kind. A cache may lose those beyond it. */
const MAX_ENTRIES = 100_000;
const CLEANUP_INTERVAL_MS = 30_000;

/** A cache in the memory of one process. */
export function memoryCache(): Cache {
  const { removeExpired: removeExpiredEntries, ...entries } = memoryEntries();
  const channels = localChannels();
  const logs = memoryLogs();
  const limits = localLimits();
  const cleanup = setInterval(() => {
    removeExpiredEntries();
    logs.removeExpired();
    limits.removeExpired();
  }, CLEANUP_INTERVAL_MS).unref();
  return {
    ...entries,
    append: async (...given) => logs.append(...given),
    read: async (...given) => logs.read(...given),
    publish: async (...given) => channels.publish(...given),
    subscribe: channels.subscribe,
    logs: {
      append(log, ...given) {
        const isAppended = logs.append(log, ...given);
        if (isAppended) channels.publish(log, "");
        return isAppended;
      },
      read: logs.read,
    },
    take: limits.take,
    giveBack: limits.giveBack,
    async ping() {},
    async [Symbol.asyncDispose]() {
      clearInterval(cleanup);
    },
  };
}

/** A part of the cache whose contents expire. */
type Expiring<Names extends keyof Cache> = Pick<Cache, Names> & { removeExpired(): void };

function memoryEntries(): Expiring<"get" | "set" | "add" | "delete"> {
  const kinds = new Map<string, BoundedEntries>();
  const entriesOf = (key: string) => {
    const kind = key.slice(0, Math.max(0, key.indexOf(":")));
    const entries = kinds.get(kind) ?? new BoundedEntries(MAX_ENTRIES);
    if (!kinds.has(kind)) kinds.set(kind, entries);
    return entries;
  };
  return {
    get: async (key) => entriesOf(key).find(key)?.value ?? null,
    set: async (key, value, ttlMs, origin) => entriesOf(key).set(key, value, ttlMs, origin),
    async add(key, value, ttlMs, origin) {
      const entries = entriesOf(key);
      if (entries.find(key)) return false;
      entries.set(key, value, ttlMs, origin);
      return true;
    },
    async delete(key) {
      entriesOf(key).delete(key);
    },
    removeExpired() {
      for (const entries of kinds.values()) entries.removeExpired();
    },
  };
}

function memoryLogs(): LocalLogs & { removeExpired(): void } {
  const logs = new Map<string, { items: string[]; endsAt: number }>();
  return {
    append(log, items, ttlMs, { begins }) {
      const stored = logs.get(log);
      const now = performance.now();
      const isLive = stored !== undefined && stored.endsAt > now;
      if (!begins && !isLive) return false;
      const endsAt = now + ttlMs;
      if (isLive) {
        stored.items.push(...items);
        stored.endsAt = endsAt;
      } else logs.set(log, { items: [...items], endsAt });
      return true;
    },
    read(log, from, limit = Number.POSITIVE_INFINITY) {
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

/** The listeners of this process. */
export function localChannels(): Pick<Cache, "subscribe"> & {
  publish(channel: string, message: string): void;
} {
  const listeners = new Map<string, Set<(message: string) => void>>();
  return {
    publish(channel, message) {
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
