import type { Database } from "../../../platform/db/database.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
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
  const others = names.filter((name) => name !== DEFAULT_ROLE);
  if (others.length === 0) return;
  const { permissions } = await explainRolesOf(db, caller.roles);
  const own = new Map(permissions.map(({ name, allowed }) => [name, allowed]));
  for (const role of await permissionsOf(db, others)) {
    const has = ({ name, allowed }: ExplainedPermission) =>
      allowed === "no" ||
      own.get(name) === "yes" ||
      // the conditions are those of a role that the caller has too
      (allowed === own.get(name) && caller.roles.includes(role.name));
    const missing = explainPermissions([role]).find((permission) => !has(permission));
    if (missing)
      throw new Forbidden(
        "role_too_strong",
        `The role "${role.name}" permits ${missing.name}, which your own roles do not. Ask an administrator who has it.`,
        { params: { name: role.name, permission: missing.name } },
      );
  }
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
