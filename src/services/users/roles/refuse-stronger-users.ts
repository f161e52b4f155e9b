import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Caller, User } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { PERMISSION_NAMES } from "../contract-permissions.ts";
import { findRolesOfGroups } from "../groups/roles-of-groups.ts";
import { usersWithRole } from "../groups/users-with-role.ts";
import type { StoredUser } from "../accounts/users-store.ts";
import { explainPermissions } from "./explain-permissions.ts";
import { permissionsOf } from "./manage-roles.ts";
import { allowedTo, DEFAULT_ROLE, forbids } from "./refuse-stronger-roles.ts";

/**
 * Nobody acts on the account of somebody who may do more. Users may change their own.
 * @throws Forbidden `user_too_strong`.
 */
export async function refuseStrongerUser(
  db: Database,
  caller: Caller,
  { id: userId, clientId, roles }: WithRoles,
): Promise<void> {
  if (caller.kind !== "user" || caller.userId === userId) return;
  const all = await allRolesOf(db, { id: userId, clientId, roles });
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

/** What an export shows, and whoever signs in as a user. */
const READS = PERMISSION_NAMES.filter((name) => /:(read|export)$/.test(name));

/**
 * Nobody gets at the data of others whom their own roles forbid to read such data, or do as that
 * user what they may not do themselves.
 * @throws Forbidden `beyond_own_roles`.
 */
export async function refuseOwnLimits(
  db: Database,
  caller: Caller,
  user: WithRoles,
): Promise<void> {
  if (caller.kind !== "user" || caller.userId === user.id) return;
  const own = await allowedTo(db, caller.roles);
  const ofUser = await allowedTo(db, await allRolesOf(db, user));
  const used = [...ofUser].filter(([, allowed]) => allowed !== "no").map(([name]) => name);
  const permission = [...READS, ...used].find((name) => own.get(name) !== "yes");
  if (permission !== undefined)
    throw new Forbidden(
      "beyond_own_roles",
      `This shows what your own roles do not permit (${permission}). Ask an administrator who has it.`,
      { params: { permission } },
    );
}

type WithRoles = Pick<StoredUser, "id" | "clientId" | "roles">;

async function allRolesOf(db: Database, { id: userId, clientId, roles }: WithRoles) {
  return [...roles, ...(await findRolesOfGroups(db, { userId, clientId, roles }))];
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
