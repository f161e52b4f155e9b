import type { TokenSet } from "../providers/provider.ts";

/**
 * A token that ends within this time counts as expired: it must outlast the request that it is for.
 */
const MARGIN_MS = 30_000;
/** More users than this and the oldest sign in again. */
const MOST = 10_000;

/**
 * Tokens in this process's memory, and nowhere else. Source: requirements 3, "Tokens are held in an
 * in-memory cache".
 */
export function createTokenCache(now: () => number = Date.now) {
  const entries = new Map<string, TokenSet>();
  return {
    get: (key: string): TokenSet | undefined => entries.get(key),
    isFresh: (tokens: TokenSet): boolean => tokens.expiresAt - MARGIN_MS > now(),
    put(key: string, tokens: TokenSet): TokenSet {
      entries.delete(key);
      entries.set(key, tokens);
      const [oldest] = entries.keys();
      if (entries.size > MOST && oldest !== undefined) entries.delete(oldest);
      return tokens;
    },
    delete: (key: string): void => void entries.delete(key),
  };
}

export type TokenCache = ReturnType<typeof createTokenCache>;
