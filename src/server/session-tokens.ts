import { hash } from "node:crypto";
import { call, type Fetch } from "../platform/http/call.ts";
import { sessionsContract } from "../services/users/contract-sessions.ts";

/** A token is replaced after this time, so that new roles of a user take effect. */
const MAX_AGE_MS = 60_000;
/** A token is replaced this long before it expires, or after half of its lifetime. */
const EXPIRY_MARGIN_MS = 60_000;
const MAX_CACHED_SESSIONS = 10_000;

interface Entry {
  token: Promise<string>;
  until: number;
}

/**
 * Exchanges session cookies for access tokens at the users service. Requests that a browser sends
 * at once share one exchange.
 */
export function createSessionTokens(
  users: () => Fetch,
): (cookie: string) => Promise<string> {
  const cache = new Map<string, Entry>();
  return (cookie) => {
    const key = hash("sha256", cookie, "base64");
    const cached = cache.get(key);
    if (cached && Date.now() < cached.until) return cached.token;
    cache.delete(key);
    const entry: Entry = { token: exchange(), until: Date.now() + MAX_AGE_MS };
    if (cache.size >= MAX_CACHED_SESSIONS) cache.delete(cache.keys().next().value ?? "");
    cache.set(key, entry);
    entry.token.catch(() => cache.get(key) === entry && cache.delete(key));
    return entry.token;

    async function exchange(): Promise<string> {
      const route = sessionsContract.exchangeCookie;
      const answer = await call(users(), route, { body: { cookie } }, { timeoutMs: 5_000 });
      const lifetimeMs = Date.parse(answer.expiresAt) - Date.now();
      const usableMs = Math.max(lifetimeMs - EXPIRY_MARGIN_MS, lifetimeMs / 2);
      entry.until = Math.min(entry.until, Date.now() + usableMs);
      return answer.accessToken;
    }
  };
}
