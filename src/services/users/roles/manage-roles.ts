import sql from "sql-template-tag";
import type { z } from "zod";
import type { Revocations } from "../../../platform/auth/revocations.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { BadRequest, Conflict, NotFound } from "../../../platform/http/errors.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { GrantedPermission, NewRole, Role, RoleChange } from "../contract-roles.ts";
import { announceRoleChange } from "../sign-in/revocations-store.ts";

export interface RoleDeps {
  db: Database;
  /** This process's copy, refreshed before a request that changes a role returns. */
  revocations: Pick<Revocations, "refresh">;
}

interface RoleRow extends Omit<Role, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`name, description, permissions, built_in as "builtIn",
  created_at as "createdAt", updated_at as "updatedAt"`;

export async function listRoles(db: Database, limit: number, offset: number) {
  const rows = await db.query<RoleRow>(
    sql`select ${COLUMNS} from users.roles order by built_in desc, name
      limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.roles`,
  );
  return { items: rows.map(toRole), total: count?.total ?? 0 };
}

export async function getRole(db: Database, name: string): Promise<Role> {
  const [row] = await db.query<RoleRow>(
    sql`select ${COLUMNS} from users.roles where name = ${name}`,
  );
  if (!row) throw roleNotFound();
  return toRole(row);
}

/** @throws Conflict `role_exists`. */
export async function createRole(
  { db, revocations }: RoleDeps,
  actor: string,
  role: z.output<typeof NewRole>,
): Promise<Role> {
  const { name, description = "", permissions = [] } = role;
  const created = await db.tx(async () => {
    const [row] = await db
      .query<RoleRow>(sql`insert into users.roles (name, description, permissions)
        values (${name}, ${description}, ${jsonb(permissions)}) returning ${COLUMNS}`)
      .catch((error: unknown) => {
        throw isUniqueViolation(error)
          ? new Conflict(
              "role_exists",
              "A role with this name exists. Choose another name.",
            )
          : error;
      });
    if (!row) throw new Error("an insert returned no row");
    await announceRoleChange(db);
    await recordEvent(db, actor, {
      action: "role.created",
      resourceType: "role",
      resourceId: name,
      details: { permissions },
    });
    return toRole(row);
  });
  await revocations.refresh();
  return created;
}

/** @throws Conflict `role_built_in`. */
export async function changeRole(
  { db, revocations }: RoleDeps,
  actor: string,
  name: string,
  change: z.output<typeof RoleChange>,
) {
  const changed = await db.tx(async () => {
    await refuseBuiltIn(db, name);
    const [row] = await db.query<RoleRow>(sql`update users.roles set updated_at = now(),
      description = coalesce(${change.description ?? null}, description),
      permissions = coalesce(${jsonb(change.permissions)}, permissions) where name = ${name}
      returning ${COLUMNS}`);
    if (!row) throw roleNotFound();
    await announceRoleChange(db);
    await recordEvent(db, actor, {
      action: "role.changed",
      resourceType: "role",
      resourceId: name,
      details: change,
    });
    return toRole(row);
  });
  await revocations.refresh();
  return changed;
}

/**
 * Deletes a role that no user and no group has: without it, users would fall back to the role
 * `user`, which may permit more.
 * @throws Conflict `role_built_in`, `role_in_use`, `role_in_use_by_groups`.
 */
export async function deleteRole(
  { db, revocations }: RoleDeps,
  actor: string,
  name: string,
): Promise<void> {
  await db.tx(async () => {
    await refuseBuiltIn(db, name);
    await refuseUsed(db, name);
    await db.query(sql`delete from users.roles where name = ${name}`);
    await announceRoleChange(db);
    await recordEvent(db, actor, {
      action: "role.deleted",
      resourceType: "role",
      resourceId: name,
    });
  });
  await revocations.refresh();
}

export async function permissionsOf(
  db: Database,
  names: string[],
): Promise<{ name: string; permissions: GrantedPermission[] }[]> {
  return db.query(
    sql`select name, permissions from users.roles where name = any(${names}) order by name`,
  );
}

/** @throws BadRequest `role_unknown`. */
export async function refuseUnknownRoles(
  db: Database,
  names: readonly string[],
): Promise<void> {
  const known = await permissionsOf(db, [...names]);
  const unknown = names.find((name) => !known.some((role) => role.name === name));
  if (unknown)
    throw new BadRequest(
      "role_unknown",
      `There is no role "${unknown}". Create it first with POST /api/v1/roles.`,
      { params: { name: unknown } },
    );
}

async function refuseBuiltIn(db: Database, name: string): Promise<void> {
  const [row] = await db.query<{ builtIn: boolean }>(
    sql`select built_in as "builtIn" from users.roles where name = ${name} for update`,
  );
  if (!row) throw roleNotFound();
  if (row.builtIn)
    throw new Conflict(
      "role_built_in",
      "Built-in roles cannot be changed. Create a role of your own instead.",
    );
}

async function refuseUsed(db: Database, name: string): Promise<void> {
  const [used] = await db.query<{ users: number; groups: number }>(sql`select
    (select count(*)::int from users.users where ${name} = any(roles)) as users,
    (select count(*)::int from users.groups where ${name} = any(roles)) as groups`);
  const { users = 0, groups = 0 } = used ?? {};
  if (users > 0)
    throw new Conflict("role_in_use", reasonOfUse(users, "users"), {
      params: { count: users },
    });
  if (groups > 0)
    throw new Conflict("role_in_use_by_groups", reasonOfUse(groups, "groups"), {
      params: { count: groups },
    });
}

function reasonOfUse(count: number, kind: "users" | "groups"): string {
  return `${count} ${kind} have this role. Remove it from them first.`;
}

function roleNotFound(): NotFound {
  return new NotFound(
    "role_not_found",
    "This role does not exist. GET /api/v1/roles lists roles.",
  );
}

function toRole(row: RoleRow): Role {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
