import { createMongoAbility, type MongoAbility, type RawRuleOf } from "@casl/ability";
import type { Revocations } from "../platform/auth/revocations.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import type { User } from "../platform/http/caller.ts";
import { Forbidden } from "../platform/http/errors.ts";
import type { Guard } from "../platform/http/guard.ts";
import type { AnyRoute } from "../platform/http/route.ts";
import { type Permission, RoleName, rolesContract } from "../services/users/contract-roles.ts";

interface Deps {
  users: () => Fetch;
  revocations: Pick<Revocations, "rolesVersion">;
}

type Roles = { name: string; permissions: Permission[] }[];

export const ACTIONS = {
  get: "read",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete",
} as const;
/** Of whoever has none of the roles that are known here, as with another issuer's tokens. */
const DEFAULT_ROLE = "user";
const MAX_CACHED = 500;
/** Permissions are read again after this time, whether or not a change was announced. */
const TRUSTED_MS = 30_000;

/**
 * Asks of every action of every signed-in user, in every service, whether his roles permit it: an ability per request, from permissions
 * that are kept until one of them changes. Own sessions and keys (`auth`) are everybody's.
 * Source: requirements 3, "an ability is built, and guards check it before the action".
 */
export function createGuard({ users, revocations }: Deps): Guard {
  let kept = { version: -1, until: 0, roles: new Map<string, Roles>() };

  async function permissionsOf(names: readonly string[]): Promise<Roles> {
    const key = [...names].sort().join(",");
    const version = revocations.rolesVersion;
    if (kept.version !== version || kept.until < Date.now() || kept.roles.size >= MAX_CACHED)
      kept = { version, until: Date.now() + TRUSTED_MS, roles: new Map() };
    const { roles } = kept;
    const known = roles.get(key);
    if (known) return known;
    const ask = async (wanted: string[]) =>
      (
        await call(
          users(),
          rolesContract.rolePermissions,
          { body: { roles: wanted } },
          { timeoutMs: 5_000 },
        )
      ).roles;
    // another issuer may send names that no role here can have
    const found = await ask(names.filter((name) => RoleName.safeParse(name).success).slice(0, 100));
    const result = found.length > 0 ? found : await ask([DEFAULT_ROLE]);
    roles.set(key, result);
    return result;
  }

  return async (route, user, input) => {
    const subject = subjectOf(route);
    if (subject === "auth") return;
    const ability = abilityOf(await permissionsOf(user.roles), user);
    const action = ACTIONS[route.method];
    // its type goes last: a field of the request must not name it
    const thing = {
      ...fieldsOf(input),
      userId: user.userId,
      clientId: user.clientId,
      __caslSubjectType__: subject,
    };
    if (!ability.can(action, thing))
      throw new Forbidden(
        "permission_missing",
        `Your roles do not permit to ${action} this (${subject}). Ask an administrator.`,
      );
  };
}

function abilityOf(roles: Roles, user: User): MongoAbility {
  const rules = roles.flatMap(({ permissions }) =>
    permissions.map(({ conditions, ...rule }) => ({
      ...rule,
      ...(conditions && { conditions: filledIn(conditions, user) }),
    })),
  );
  // what one role forbids must not be allowed again by the order in which roles come
  const inOrder = [
    ...rules.filter(({ inverted }) => !inverted),
    ...rules.filter(({ inverted }) => inverted),
  ];
  return createMongoAbility(inOrder as RawRuleOf<MongoAbility>[]); // as the contract checked them
}

/** `${user.id}`, `${user.clientId}` and `${user.email}` in a condition stand for the one who asks. */
function filledIn(
  conditions: NonNullable<Permission["conditions"]>,
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

/** `/api/v1/agent/:id/files` is about `agent`. */
export function subjectOf({ path }: AnyRoute): string {
  return (
    path
      .split("/")
      .filter((part) => part !== "")
      .find((part) => !/^(api|mcp|v\d+)$/.test(part)) ?? "all"
  );
}

function fieldsOf({
  params,
  query,
  body,
}: {
  params: unknown;
  query: unknown;
  body: unknown;
}): object {
  return Object.assign({}, query, body, params) as object; // each is an object or undefined
}
