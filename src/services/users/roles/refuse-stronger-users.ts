import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Caller, User } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { findRolesOfGroups } from "../groups/roles-of-groups.ts";
import { usersWithRole } from "../groups/users-with-role.ts";
import type { StoredUser } from "../identity/users-store.ts";
import { explainPermissions } from "./explain-permissions.ts";
import { permissionsOf } from "./manage-roles.ts";
import { allowedTo, DEFAULT_ROLE, forbids } from "./refuse-stronger-roles.ts";

/**
 * Nobody changes or deletes the account of an administrator who may do more: with a new password
 * one could sign in as that user. Users may change their own.
 * @throws Forbidden `user_too_strong`.
 */
export async function refuseStrongerUser(
  db: Database,
  caller: Caller,
  { id: userId, clientId, roles }: Pick<StoredUser, "id" | "clientId" | "roles">,
): Promise<void> {
  if (caller.kind !== "user" || caller.userId === userId) return;
  const all = [...roles, ...(await findRolesOfGroups(db, { userId, clientId, roles }))];
  const own = await allowedTo(db, caller.roles);
  // everyone may give the default role, so whoever is no administrator may have what it permits
  const usual = all.includes("admin")
    ? new Map<string, string>()
    : await allowedTo(db, [DEFAULT_ROLE]);
  for (const [permission, allowed] of await allowedTo(db, all)) {
    const has =
      allowed === "no" || own.get(permission) === "yes" || usual.get(permission) === "yes";
    if (!has)
      throw new Forbidden(
        "user_too_strong",
        `This user may do what your own roles do not permit (${permission}). Ask an administrator who has it.`,
        { params: { permission } },
      );
  }
}

/**
 * Nobody takes a role from themselves or others that forbids what their own roles do not permit:
 * otherwise a prohibition would hold only until its user takes it away. A tenant's only
 * administrator may, as nobody else could.
 * @throws Forbidden `role_forbids`.
 */
export async function refuseTakingRoles(
  db: Database,
  caller: Caller,
  names: readonly string[],
): Promise<void> {
  if (caller.kind !== "user" || names.length === 0) return;
  const own = await allowedTo(db, caller.roles);
  for (const role of await permissionsOf(db, [...names])) {
    const forbidden = explainPermissions([role]).find(
      ({ name, forbiddenBy }) => forbiddenBy.length > 0 && own.get(name) !== "yes",
    );
    if (forbidden && !(await isOnlyAdministrator(db, caller)))
      throw forbids(role.name, forbidden.name);
  }
}

async function isOnlyAdministrator(
  db: Database,
  { userId, clientId }: User,
): Promise<boolean> {
  const administrators = await db.query<{ id: string }>(
    sql`select known.id from users.known_users known
      where known.client_id = ${clientId} and known.state = 'active'
        and known.id in (${usersWithRole(clientId, "admin")}) limit 2`,
  );
  return administrators.length === 1 && administrators[0]?.id === userId;
}
