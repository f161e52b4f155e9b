import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { Group, GroupChange, NewGroup } from "../contract-groups.ts";

interface GroupRow extends Omit<Group, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`id, name, description, external_name as "externalName",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** @throws Conflict `group_name_taken` or `too_many_groups`. */
export async function insertGroup(
  { db, maxGroups }: { db: Database; maxGroups: number },
  clientId: string,
  group: z.output<typeof NewGroup>,
): Promise<Group> {
  const { name, description = "", externalName = null } = group;
  const id = uuidv7();
  const limit = {
    key: `groups of ${clientId}`,
    max: maxGroups,
    count: () => countGroups(db, sql`client_id = ${clientId}`),
    code: "too_many_groups",
    message: `An organisation may have ${maxGroups} groups. Delete some first.`,
  };
  const insert = () =>
    db.query<GroupRow>(sql`
      with made as (insert into users.groups (id, client_id, name, description, external_name)
        values (${id}, ${clientId}, ${name}, ${description}, ${externalName}) returning *),
      self as (insert into users.group_closure (descendant_id, ancestor_id) select id, id from made)
      select ${COLUMNS} from made`);
  const [row] = await insertWithinLimit(db, limit, insert).catch(throwNameTaken);
  if (!row) throw new Error("an insert returned no row");
  return toGroup(row);
}

export async function updateGroup(
  db: Database,
  id: string,
  change: z.output<typeof GroupChange>,
): Promise<Group> {
  const keep = (value: unknown, column: Sql): Sql => (value === undefined ? column : sql`${value}`);
  const [row] = await db
    .query<GroupRow>(sql`update users.groups
      set updated_at = now(), name = ${keep(change.name, sql`name`)},
      description = ${keep(change.description, sql`description`)},
      external_name = ${keep(change.externalName, sql`external_name`)}
      where id = ${id} returning ${COLUMNS}`)
    .catch(throwNameTaken);
  if (!row) throw groupNotFound();
  return toGroup(row);
}

/** Without `clientId`, which services leave out, a group of any tenant. */
export async function findGroup(
  db: Database,
  id: string,
  clientId: string | undefined,
): Promise<Group> {
  const [row] = await db.query<GroupRow>(sql`select ${COLUMNS} from users.groups
    where id = ${id} and (${clientId ?? null}::text is null or client_id = ${clientId ?? null})`);
  if (!row) throw groupNotFound();
  return toGroup(row);
}

export async function listGroups(db: Database, clientId: string, limit: number, offset: number) {
  return pageOfGroups(db, sql`client_id = ${clientId}`, limit, offset);
}

export async function listNested(db: Database, id: string, limit: number, offset: number) {
  return pageOfGroups(
    db,
    sql`id in (select child_id from users.group_groups where parent_id = ${id})`,
    limit,
    offset,
  );
}

async function pageOfGroups(db: Database, condition: Sql, limit: number, offset: number) {
  const rows = await db.query<GroupRow>(
    sql`select ${COLUMNS} from users.groups where ${condition} order by lower(name)
      limit ${limit} offset ${offset}`,
  );
  return { items: rows.map(toGroup), total: await countGroups(db, condition) };
}

async function countGroups(db: Database, condition: Sql): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.groups where ${condition}`,
  );
  return count?.total ?? 0;
}

/**
 * The direct members of a group; with `effective`, also members of nested groups and members by
 * the identity provider.
 */
export async function listMembers(
  db: Database,
  id: string,
  effective: boolean,
  limit: number,
  offset: number,
) {
  const groupIds = effective
    ? sql`(select descendant_id from users.group_closure where ancestor_id = ${id})`
    : sql`(select ${id}::uuid)`;
  const members = sql`
    select distinct member.user_id from (
      select user_id from users.group_members where group_id in ${groupIds}
      union all
      select identities.user_id::text from users.groups
        join users.identities on groups.external_name = any(identities.groups)
        join users.known_users person on person.id = identities.user_id::text
        and person.client_id = groups.client_id
        where ${effective} and groups.id in ${groupIds}
    ) member`;
  const items = await db.query<{ userId: string; name: string | null; email: string | null }>(sql`
    select member.user_id as "userId", users.name, users.email from (${members}) member
    left join users.known_users users on users.id = member.user_id order by member.user_id
    limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from (${members}) member`,
  );
  return { items, total: count?.total ?? 0 };
}

export function groupNotFound(): NotFound {
  return new NotFound("group_not_found", "This group does not exist.");
}

function throwNameTaken(error: unknown): never {
  throw isUniqueViolation(error)
    ? new Conflict("group_name_taken", "Another group has this name. Choose another name.")
    : error;
}

function toGroup(row: GroupRow): Group {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}
