import { createMongoAbility, type MongoAbility, type RawRuleOf } from "@casl/ability";
import type { Revocations } from "../platform/auth/revocations.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { Forbidden } from "../platform/http/errors.ts";
import { type Fields, type Guard, scopesCover } from "../platform/http/guard.ts";
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

/** For users who have no role that is known here, as with another issuer's tokens. */
const DEFAULT_ROLE = "user";
const MAX_CACHED = 500;
/** Permissions are read again after this time, whether or not a change was announced. */
const CACHE_TTL_MS = 30_000;
const TIMEOUT_MS = 5_000;
/** The verbs that the action `manage` stands for. */
const MANAGED_VERBS = VERBS.filter((verb) => verb !== "administer");

/**
 * Decides whether a user's roles permit an action, in every service: an ability for each request,
 * built from permissions that are cached until one of them changes.
 */
export function createGuard({ users, revocations }: Deps): Guard {
  let cached = { version: -1, until: 0, abilities: new Map<string, AbilityOf>() };

  const abilityOf = async (user: User): Promise<MongoAbility> => {
    const key = [...user.roles].sort().join(",");
    const version = revocations.rolesVersion;
    const stale = cached.version !== version || cached.until < Date.now();
    if (stale || cached.abilities.size >= MAX_CACHED)
      cached = { version, until: Date.now() + CACHE_TTL_MS, abilities: new Map() };
    const { abilities } = cached;
    const known = abilities.get(key);
    if (known) return known(user);
    // another issuer may send names that no role here can have
    const valid = user.roles.filter((name) => RoleName.safeParse(name).success).slice(0, 100);
    const found = await fetchRoles(users(), valid);
    const roles = found.length > 0 ? found : await fetchRoles(users(), [DEFAULT_ROLE]);
    const build = abilityBuilder(roles);
    abilities.set(key, build);
    return build(user);
  };
  const permits = async (permission: string, user: User, fields: Fields = {}) => {
    const ability = await abilityOf(user);
    const [subject = "", action = ""] = permission.split(":");
    const { userId, clientId } = user;
    // its type goes last: a field of the request must not name it
    return ability.can(action, { ...fields, userId, clientId, __caslSubjectType__: subject });
  };

  return {
    async check(permission, user, fields) {
      if (await permits(permission, user, fields)) return;
      throw new Forbidden(
        "permission_missing",
        `Your roles do not permit this (${permission}). Ask an administrator.`,
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

async function fetchRoles(users: Fetch, names: string[]): Promise<Roles> {
  const body = { roles: names };
  const { roles } = await call(
    users,
    rolesContract.rolePermissions,
    { body },
    { timeoutMs: TIMEOUT_MS },
  );
  return roles;
}

/** Built once for all users of the same roles, unless a condition names who asks. */
function abilityBuilder(roles: Roles): AbilityOf {
  if (JSON.stringify(roles).includes("${user.")) return (user) => buildAbility(roles, user);
  let shared: MongoAbility | undefined;
  return (user) => (shared ??= buildAbility(roles, user));
}

function buildAbility(roles: Roles, user: User): MongoAbility {
  const rules = roles.flatMap(({ permissions }) =>
    permissions.map(({ conditions, action, ...rule }) => ({
      ...rule,
      // what is administrative is granted by name alone, and forbidden by `manage` too
      action: action === "manage" && !rule.inverted ? MANAGED_VERBS : action,
      ...(conditions && { conditions: fillIn(conditions, user) }),
    })),
  );
  // what one role forbids must not be allowed again by the order in which roles come
  const inOrder = [
    ...rules.filter(({ inverted }) => !inverted),
    ...rules.filter(({ inverted }) => inverted),
  ];
  return createMongoAbility(inOrder as RawRuleOf<MongoAbility>[]); // as the contract checked them
}

/** `${user.id}`, `${user.clientId}` and `${user.email}` in a condition stand for the caller's. */
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
  ) as object; // the text of an object
}
