import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import type { GrantedPermission } from "../contract-roles.ts";
import type { ExplainedPermission } from "../contract-user-access.ts";
import { explainPermissions } from "./explain-permissions.ts";
import { permissionsOf, refuseUnknownRoles } from "./manage-roles.ts";

/** The role that users have without any known role; everyone may give it. */
export const DEFAULT_ROLE = "user";

/**
 * Nobody gives a role that permits more than their own roles do, whether to a user or through a
 * group.
 * @throws BadRequest `role_unknown`, Forbidden `role_too_strong`.
 */
export async function refuseStrongerRoles(
  db: Database,
  caller: Caller,
  names: readonly string[],
): Promise<void> {
  await refuseUnknownRoles(db, names);
  if (caller.kind !== "user") return;
  const stronger = await findStronger(db, caller.roles, names);
  if (stronger) throw tooStrong(stronger.role, stronger.permission);
}

/** Of some roles the first that permits more than others, and what. */
export async function findStronger(
  db: Database,
  ownNames: readonly string[],
  names: readonly string[],
): Promise<{ role: string; permission: string } | undefined> {
  const others = names.filter((name) => name !== DEFAULT_ROLE);
  if (others.length === 0) return undefined;
  const own = await allowedTo(db, ownNames);
  for (const role of await permissionsOf(db, others)) {
    const has = ({ name, allowed }: ExplainedPermission) =>
      allowed === "no" ||
      own.get(name) === "yes" ||
      // the conditions are those of a role that the caller has too
      (allowed === own.get(name) && ownNames.includes(role.name));
    const missing = explainPermissions([role]).find((permission) => !has(permission));
    if (missing) return { role: role.name, permission: missing.name };
  }
  return undefined;
}

/**
 * Nobody makes a role permit more than their own roles do.
 * @throws Forbidden `role_too_strong`, `role_forbids`.
 */
export async function refuseStrongerChange(
  db: Database,
  caller: Caller,
  name: string,
  permissions: readonly GrantedPermission[],
): Promise<void> {
  if (caller.kind !== "user") return;
  const own = await allowedTo(db, caller.roles);
  const before = explainPermissions(await permissionsOf(db, [name]));
  for (const [index, after] of explainPermissions([{ name, permissions }]).entries()) {
    if (own.get(after.name) === "yes") continue;
    if (hasMore(after.grantedBy, before[index]?.grantedBy))
      throw tooStrong(name, after.name);
    if (hasMore(before[index]?.forbiddenBy, after.forbiddenBy))
      throw forbids(name, after.name);
  }
}

type Grounds = ExplainedPermission["grantedBy"];

function hasMore(grounds: Grounds = [], than: Grounds = []): boolean {
  const known = new Set(than.map((ground) => JSON.stringify(ground)));
  return grounds.some((ground) => !known.has(JSON.stringify(ground)));
}

/** What roles permit. Without any known role a user has the role `user`. */
export async function explainRolesOf(db: Database, names: readonly string[]) {
  const known = await permissionsOf(db, [...names]);
  const roles = known.length > 0 ? known : await permissionsOf(db, [DEFAULT_ROLE]);
  return {
    roles: roles.map(({ name }) => name),
    permissions: explainPermissions(roles),
  };
}

/** For each permission, whether roles allow it. */
export async function allowedTo(db: Database, roles: readonly string[]) {
  const { permissions } = await explainRolesOf(db, roles);
  return new Map(permissions.map(({ name, allowed }) => [name, allowed]));
}

function tooStrong(name: string, permission: string): Forbidden {
  return new Forbidden(
    "role_too_strong",
    `The role "${name}" permits ${permission}, which your own roles do not. Ask an administrator who has it.`,
    { params: { name, permission } },
  );
}

/** Of a role that the caller may not take from anybody. */
export function forbids(name: string, permission: string): Forbidden {
  return new Forbidden(
    "role_forbids",
    `The role "${name}" forbids ${permission}, which your own roles do not permit either. Ask an administrator who has it.`,
    { params: { name, permission } },
  );
}
