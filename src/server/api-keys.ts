import type { Revocations } from "../platform/auth/revocations.ts";
import { hashToken } from "../platform/auth/secrets.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { usersContract } from "../services/users/contract.ts";

interface Deps {
  users: () => Fetch;
  revocations: Pick<Revocations, "check" | "rolesVersion">;
}

interface Verified {
  user: User;
  /** What a revocation names. */
  keyId: string;
}

interface Kept {
  verified: Promise<Verified>;
  /** By `performance.now()`. */
  until: number;
}

/** A key is verified again after this time, even when nothing was announced. */
const MAX_AGE_MS = 1_000;
const MAX_KEPT = 10_000;
const TIMEOUT_MS = 5_000;

/**
 * Verifies API keys at the users service. A program that calls many times a second is verified
 * once a second, or at once when its key is deleted, its user disabled, or a role changes.
 */
export function createApiKeys({ users, revocations }: Deps) {
  let version = -1;
  let kept = new Map<string, Kept>();
  return async (key: string): Promise<User> => {
    if (version !== revocations.rolesVersion) {
      version = revocations.rolesVersion;
      kept = new Map();
    }
    // no key stays in memory
    const name = hashToken(key);
    const found = kept.get(name);
    if (found && found.until > performance.now()) {
      const known = await found.verified;
      if (stillHolds(revocations, known)) return known.user;
    }
    // what began before a change of roles is kept nowhere
    const ofVersion = kept;
    const entry: Kept = { verified: verify(), until: performance.now() + MAX_AGE_MS };
    ofVersion.delete(name);
    if (ofVersion.size >= MAX_KEPT) ofVersion.delete(ofVersion.keys().next().value ?? "");
    ofVersion.set(name, entry);
    entry.verified.catch(() => ofVersion.get(name) === entry && ofVersion.delete(name));
    return (await entry.verified).user;

    async function verify(): Promise<Verified> {
      const { verifyApiKey } = usersContract;
      const options = { timeoutMs: TIMEOUT_MS };
      const answer = await call(users(), verifyApiKey, { body: { key } }, options);
      const { user, keyId = "", expiresAt } = answer;
      const leftMs = expiresAt ? Date.parse(expiresAt) - Date.now() : MAX_AGE_MS;
      // a service of an earlier version does not name the key: it is verified each time
      const keepMs = keyId === "" ? 0 : Math.min(MAX_AGE_MS, leftMs);
      entry.until = Math.min(entry.until, performance.now() + keepMs);
      return { user: { kind: "user", via: "key", ...user }, keyId };
    }
  };
}

function stillHolds(
  revocations: Pick<Revocations, "check">,
  { user, keyId }: Verified,
): boolean {
  try {
    revocations.check(user.userId, keyId);
    return true;
  } catch {
    // the users service says why, and knows what was lifted since
    return false;
  }
}
