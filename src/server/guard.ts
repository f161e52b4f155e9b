import { createMongoAbility, type MongoAbility, type RawRuleOf } from "@casl/ability";
import type { Revocations } from "../platform/auth/revocations.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { Forbidden } from "../platform/http/errors.ts";
import { type Fields, type Guard, scopesCover } from "../platform/http/guard.ts";
import { inGroups } from "../platform/in-groups.ts";
import { PERMISSION_NAMES, VERBS } from "../services/users/contract-permissions.ts";
import {
  type GrantedPermission,
  RoleName,
  rolesContract,
} from "../services/users/contract-roles.ts";

interface Deps {
  users: () => Fetch;
  revocations: Pick<Revocations, "rolesVersion">;
}

type Roles = { name: string; permissions: GrantedPermission[] }[];
type AbilityOf = (user: User) => MongoAbility;

/** For users whose token names no known role, such as those of an external issuer. */
const DEFAULT_ROLE = "user";
const MAX_CACHED = 500;
const MAX_PER_CALL = 100;
/** Permissions are read again after this time, even when no change was announced. */
const CACHE_TTL_MS = 30_000;
const TIMEOUT_MS = 5_000;
/** The verbs that the action `manage` stands for. */
const MANAGED_VERBS = VERBS.filter((verb) => verb !== "administer");

/**
 * Decides in every service whether a user's roles permit an action. Permissions are cached until
 * one of them changes.
 */
export function createGuard({ users, revocations }: Deps): Guard {
  let cached = { version: -1, until: 0, abilities: new Map<string, AbilityOf>() };

  const abilityOf = async (user: User): Promise<MongoAbility> => {
    const key = [...user.roles].sort().join(",");
    const version = revocations.rolesVersion;
    const stale = cached.version !== version || cached.until < performance.now();
    if (stale || cached.abilities.size >= MAX_CACHED)
      cached = { version, until: performance.now() + CACHE_TTL_MS, abilities: new Map() };
    const { abilities } = cached;
    const cachedAbility = abilities.get(key);
    if (cachedAbility) return cachedAbility(user);
    // an external issuer may send names that are no valid role names
    const valid = user.roles.filter((name) => RoleName.safeParse(name).success);
    const known = await fetchRoles(users(), valid);
    const roles = known.length > 0 ? known : await fetchRoles(users(), [DEFAULT_ROLE]);
    const build = abilityBuilder(roles);
    abilities.set(key, build);
    return build(user);
  };
  const permits = async (permission: string, user: User, fields: Fields = {}) => {
    const ability = await abilityOf(user);
    const [subject = "", action = ""] = permission.split(":");
    const { userId, clientId } = user;
    // the subject type comes last, so that no field of the request can override it
    return ability.can(action, {
      ...fields,
      userId,
      clientId,
      __caslSubjectType__: subject,
    });
  };

  return {
    async check(permission, user, fields) {
      if (await permits(permission, user, fields)) return;
      throw new Forbidden(
        "permission_missing",
        `Your roles do not permit this (${permission}). Ask an administrator.`,
        { params: { permission } },
      );
    },
    allows: async (permission, user, fields) =>
      scopesCover(user, permission) && permits(permission, user, fields),
    async listFor(user) {
      const ability = await abilityOf(user);
      return PERMISSION_NAMES.filter((name) => {
        const [subject = "", action = ""] = name.split(":");
        return scopesCover(user, name) && ability.can(action, subject);
      });
    },
  };
}

/** Reads all of them, as each may forbid something. */
async function fetchRoles(users: Fetch, names: readonly string[]): Promise<Roles> {
  const all: Roles = [];
  for (const some of inGroups(names, MAX_PER_CALL)) {
    const { roles } = await call(
      users,
      rolesContract.rolePermissions,
      { body: { roles: some } },
      { timeoutMs: TIMEOUT_MS },
    );
    all.push(...roles);
  }
  return all;
}

/** One ability for all users with the same roles, unless a condition refers to the user. */
function abilityBuilder(roles: Roles): AbilityOf {
  if (JSON.stringify(roles).includes("${user.")) return (user) => buildAbility(roles, user);
  let shared: MongoAbility | undefined;
  return (user) => (shared ??= buildAbility(roles, user));
}

function buildAbility(roles: Roles, user: User): MongoAbility {
  const rules = roles.flatMap(({ permissions }) =>
    permissions.map(({ conditions, action, ...rule }) => ({
      ...rule,
      // `manage` does not grant `administer`, but an inverted `manage` forbids it
      action: action === "manage" && !rule.inverted ? MANAGED_VERBS : action,
      ...(conditions && { conditions: fillIn(conditions, user) }),
    })),
  );
  // the last matching rule wins: prohibitions come last, whatever the order of roles
  const inOrder = [
    ...rules.filter(({ inverted }) => !inverted),
    ...rules.filter(({ inverted }) => inverted),
  ];
  return createMongoAbility(inOrder as RawRuleOf<MongoAbility>[]); // the contract validates them
}

/** Replaces `${user.id}`, `${user.clientId}` and `${user.email}` in a condition. */
function fillIn(
  conditions: NonNullable<GrantedPermission["conditions"]>,
  { userId, clientId, email }: User,
): object {
  const values: Record<string, string> = {
    "${user.id}": userId,
    "${user.clientId}": clientId,
    "${user.email}": email,
  };
  return JSON.parse(JSON.stringify(conditions), (_, value: unknown) =>
    typeof value === "string" ? (values[value] ?? value) : value,
  ) as object; // parsed from the JSON of an object
}
