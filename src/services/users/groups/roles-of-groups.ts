import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { announceRoleChange } from "../sign-in/revocations-store.ts";

const MAX_SOURCES = 200;

/** The roles that groups add to a user's own, for SQL. */
export function rolesOfGroups(userId: Sql, clientId: Sql, own: Sql): Sql {
  return sql`users.roles_of_groups(${userId}, ${clientId}, ${own})`;
}

/** The roles that groups add to those that the user's token names. */
export async function findRolesOfGroups(
  db: Database,
  { userId, clientId, roles }: { userId: string; clientId: string; roles: string[] },
): Promise<string[]> {
  const [row] = await db.query<{ roles: string[] }>(
    sql`select ${rolesOfGroups(sql`${userId}`, sql`${clientId}`, sql`${roles}::text[]`)} as roles`,
    { name: "users-roles-of-groups" },
  );
  return row?.roles ?? [];
}

/** Which role of a user comes from which group. */
export function listRoleSources(db: Database, userId: string, clientId: string) {
  return db.query<{ role: string; groupId: string; groupName: string }>(sql`
    select distinct role, groups.id as "groupId", groups.name as "groupName"
    from users.effective_memberships membership
      join users.groups on groups.id = membership.group_id and groups.client_id = ${clientId}
      cross join unnest(groups.roles) role
    where membership.user_id = ${userId}
    order by role, groups.name limit ${MAX_SOURCES}`);
}

/** The roles that members of a group have: its own, and those of the groups that contain it. */
export async function rolesOfMembers(db: Database, groupId: string): Promise<string[]> {
  const rows = await db.query<{ role: string }>(sql`
    select distinct role from users.group_closure closure
      join users.groups on groups.id = closure.ancestor_id cross join unnest(groups.roles) role
    where closure.descendant_id = ${groupId}`);
  return rows.map(({ role }) => role);
}

/**
 * Runs a change of groups in a transaction. Where a group has roles before or after it, every
 * process reads the roles of users again.
 */
export async function announcingRoles<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const hadRoles = await someGroupHasRoles(db);
  const result = await work();
  if (hadRoles || (await someGroupHasRoles(db))) await announceRoleChange(db);
  return result;
}

async function someGroupHasRoles(db: Database): Promise<boolean> {
  const found = await db.query(sql`select from users.groups where roles <> '{}' limit 1`);
  return found.length > 0;
}
