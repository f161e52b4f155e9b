import type { Cache } from "../cache/cache.ts";

/** Ends access tokens before they expire: at the next request, on every replica that shares the cache. */
export interface Revocations {
  revokeSession(sessionId: string): Promise<void>;
  isRevoked(sessionId: string): Promise<boolean>;
}

/** `ttlMs`: how long an access token lives; after that nothing needs to be remembered. */
export function createRevocations(cache: Cache, ttlMs: number): Revocations {
  return {
    revokeSession: (sessionId) => cache.set(`revoked:session:${sessionId}`, "1", ttlMs),
    isRevoked: async (sessionId) => (await cache.get(`revoked:session:${sessionId}`)) !== null,
  };
}
