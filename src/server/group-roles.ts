import type { Revocations } from "../platform/auth/revocations.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { inGroups } from "../platform/in-groups.ts";
import { RoleName, rolesContract } from "../services/users/contract-roles.ts";

interface Deps {
  users: () => Fetch;
  revocations: Pick<Revocations, "rolesVersion">;
}

/** Roles are read again after this time, even when no change was announced. */
const CACHE_TTL_MS = 30_000;
const MAX_CACHED_USERS = 10_000;
const MAX_PER_CALL = 100;
const TIMEOUT_MS = 5_000;

/**
 * Adds the roles of a user's groups to those that the token names. They are cached until a role, a
 * group or a membership changes.
 */
export function createGroupRoles({ users, revocations }: Deps) {
  let version = -1;
  let cached = new Map<string, { until: number; roles: Promise<string[]> }>();
  return async (user: User): Promise<User> => {
    if (version !== revocations.rolesVersion) {
      version = revocations.rolesVersion;
      cached = new Map();
    }
    const { userId, clientId } = user;
    const key = JSON.stringify([userId, clientId, user.roles]);
    const found = cached.get(key);
    if (found && found.until > performance.now()) return withRoles(user, await found.roles);
    const ofVersion = cached;
    const roles = fetchRoles(users(), user);
    ofVersion.delete(key);
    if (ofVersion.size >= MAX_CACHED_USERS)
      ofVersion.delete(ofVersion.keys().next().value ?? "");
    ofVersion.set(key, { until: performance.now() + CACHE_TTL_MS, roles });
    roles.catch(() => ofVersion.delete(key));
    return withRoles(user, await roles);
  };
}

function withRoles(user: User, added: readonly string[]): User {
  return added.length === 0 ? user : { ...user, roles: [...user.roles, ...added] };
}

/**
 * What all of the user's own roles leave to be added is what each part of them leaves: a role that
 * one part names is not added, nor the default role where one part names a known one.
 */
async function fetchRoles(users: Fetch, user: User): Promise<string[]> {
  // an external issuer may send names that are no valid role names
  const own = user.roles.filter((name) => RoleName.safeParse(name).success);
  const [first = [], ...others] = inGroups(own, MAX_PER_CALL);
  let added = await fetchAdded(users, user, first);
  for (const some of others) {
    if (added.length === 0) break;
    const left = await fetchAdded(users, user, some);
    added = added.filter((name) => left.includes(name));
  }
  return added;
}

async function fetchAdded(
  users: Fetch,
  { userId, clientId }: User,
  roles: string[],
): Promise<string[]> {
  const answer = await call(
    users,
    rolesContract.rolesOfGroups,
    { body: { userId, clientId, roles } },
    { timeoutMs: TIMEOUT_MS },
  );
  return answer.roles;
}
