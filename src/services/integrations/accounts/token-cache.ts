import type { TokenSet } from "../providers/provider.ts";

/** A token that expires within this time counts as expired, so that it outlasts its request. */
const EXPIRY_MARGIN_MS = 30_000;
/** Beyond this number the tokens of the oldest users are dropped; they sign in again. */
const MAX_USERS = 10_000;

/** Tokens, held only in the memory of this process. */
export function createTokenCache(now: () => number = Date.now) {
  const entries = new Map<string, TokenSet>();
  return {
    get: (key: string): TokenSet | undefined => entries.get(key),
    isFresh: (tokens: TokenSet): boolean => tokens.expiresAt - EXPIRY_MARGIN_MS > now(),
    put(key: string, tokens: TokenSet): TokenSet {
      entries.delete(key);
      entries.set(key, tokens);
      const [oldest] = entries.keys();
      if (entries.size > MAX_USERS && oldest !== undefined) entries.delete(oldest);
      return tokens;
    },
    delete: (key: string): void => void entries.delete(key),
  };
}

export type TokenCache = ReturnType<typeof createTokenCache>;
