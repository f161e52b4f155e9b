import type { Cache } from "../cache/cache.ts";
import { openSecret, sealSecret } from "./secrets.ts";

/** Entries that grant something. */
export interface SealedCache {
  set(name: string, value: unknown, ttlMs: number, origin?: string): Promise<void>;
  /** @returns null for an entry that this installation did not write under this name. */
  get<T>(name: string): Promise<T | null>;
}

/**
 * Seals entries of the cache, so that whoever can write to Redis cannot grant themselves anything:
 * an entry counts only if it was sealed with ENCRYPTION_KEY, under its own name.
 */
export function sealedCache(cache: Cache, encryptionKey: string): SealedCache {
  return {
    set(name, value, ttlMs, origin) {
      const sealed = sealSecret(JSON.stringify({ name, value }), encryptionKey);
      return cache.set(name, sealed, ttlMs, origin);
    },
    async get<T>(name: string) {
      const stored = await cache.get(name);
      if (stored === null) return null;
      try {
        const entry = JSON.parse(openSecret(stored, encryptionKey)) as {
          name: string;
          value: T; // `set` wrote it
        };
        return entry.name === name ? entry.value : null;
      } catch {
        return null; // of somebody else
      }
    },
  };
}
