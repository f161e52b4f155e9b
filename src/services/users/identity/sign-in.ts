import type { Cache, Limit } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { TooManyRequests, Unauthorized } from "../../../platform/http/errors.ts";
import type { UserProfile } from "../contract.ts";
import { verifyPassword } from "./password.ts";
import { findForSignIn } from "./users-store.ts";

const QUARTER_HOUR = 15 * 60_000;
/** Source: security §4, API2. */
const PER_ACCOUNT: Limit = { name: "sign-in-account", points: 5, durationMs: QUARTER_HOUR };
const PER_NETWORK: Limit = { name: "sign-in-network", points: 60, durationMs: QUARTER_HOUR };

interface Deps {
  db: Database;
  cache: Cache;
}

/**
 * The user behind an email and a password. Only failures count against the limits of the account and of the network.
 * @throws Unauthorized `credentials_wrong`, the same for a wrong password, an unknown email and a disabled user; TooManyRequests.
 */
export async function signIn(
  { db, cache }: Deps,
  { email, password }: { email: string; password: string },
  peer: string,
): Promise<UserProfile> {
  const account = email.trim().toLowerCase();
  const blocked = await cache.get(`sign-in-blocked:${account}`);
  if (blocked !== null) throw tooMany(Math.max(1_000, Number(blocked) - Date.now()));
  const found = await findForSignIn(db, account);
  const right = await verifyPassword(password, found?.passwordHash ?? null);
  if (found && right && !found.user.disabled) return found.user;
  const [byAccount, byNetwork] = await Promise.all([cache.take(PER_ACCOUNT, account), cache.take(PER_NETWORK, networkOf(peer))]);
  if (!byAccount.allowed) {
    await cache.set(`sign-in-blocked:${account}`, String(Date.now() + byAccount.retryAfterMs), byAccount.retryAfterMs);
    throw tooMany(byAccount.retryAfterMs);
  }
  if (!byNetwork.allowed) throw tooMany(byNetwork.retryAfterMs);
  throw new Unauthorized("credentials_wrong", "The email or the password is wrong.");
}

function tooMany(retryAfterMs: number): TooManyRequests {
  return new TooManyRequests(
    "sign_in_limited",
    `Too many attempts. Wait ${Math.ceil(retryAfterMs / 60_000)} minutes and try again.`,
    retryAfterMs,
  );
}

/** An IPv6 user has a whole /64 to rotate through. */
export function networkOf(peer: string): string {
  return peer.includes(":") && !peer.startsWith("::ffff:") ? peer.split(":").slice(0, 4).join(":") : peer;
}
