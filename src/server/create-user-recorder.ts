import { cutText } from "../platform/cut-text.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { Forbidden } from "../platform/http/errors.ts";
import { knownUsersContract } from "../services/users/contract-known-users.ts";
import { RoleName } from "../services/users/contract-roles.ts";

/** A user is recorded again after this time, or at once when the token has other claims. */
const RECORD_INTERVAL_MS = 600_000;
const MAX_CACHED_USERS = 10_000;

/**
 * Records users of an external token issuer in the users service before their first request runs:
 * sharing, grants and keys apply to known users only.
 */
export function createUserRecorder(users: () => Fetch) {
  const recorded = new Map<string, { until: number; done: Promise<void> }>();
  /** `roles` are those that the issuer's token names; they apply to background work too. */
  return async (user: User, roles?: readonly string[]): Promise<void> => {
    const { userId, clientId, email, name } = user;
    const key = JSON.stringify([userId, clientId, email, name, roles]);
    const cached = recorded.get(key);
    if (cached && cached.until > performance.now()) return cached.done;
    const done = record(users(), user, roles);
    recorded.delete(key);
    if (recorded.size >= MAX_CACHED_USERS)
      recorded.delete(recorded.keys().next().value ?? "");
    recorded.set(key, { until: performance.now() + RECORD_INTERVAL_MS, done });
    done.catch(() => recorded.delete(key));
    return done;
  };
}

/** @throws Forbidden `user_disabled`, `tenant_mismatch`. */
async function record(
  users: Fetch,
  { userId, clientId, email, name }: User,
  roles: readonly string[] | undefined,
): Promise<void> {
  const body = {
    userId,
    clientId,
    email: email.slice(0, 320),
    name: cutText(name, 200),
    // an external issuer may send names that are no valid role names
    roles: roles?.filter((role) => RoleName.safeParse(role).success),
  };
  const known = await call(
    users,
    knownUsersContract.seeUser,
    { body },
    { timeoutMs: 5_000 },
  );
  if (!known.active)
    throw new Forbidden(
      "user_disabled",
      "This account is disabled. Ask your administrator.",
    );
  if (known.clientId !== clientId)
    throw new Forbidden(
      "tenant_mismatch",
      "This account belongs to another tenant. Ask your administrator for an account in this one.",
    );
}
