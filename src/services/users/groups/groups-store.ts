import sql, { join, type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";
import type { Group, GroupChange, ListedGroup, NewGroup } from "../contract-groups.ts";

interface GroupRow extends Omit<Group, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`id, name, description, external_name as "externalName", roles,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** @throws Conflict `group_name_taken` or `too_many_groups`. */
export async function insertGroup(
  { db, maxGroups }: { db: Database; maxGroups: number },
  clientId: string,
  group: z.output<typeof NewGroup>,
): Promise<Group> {
  const { name, description = "", externalName = null, roles = [] } = group;
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
      with made as (insert into users.groups (id, client_id, name, description, external_name, roles)
        values (${id}, ${clientId}, ${name}, ${description}, ${externalName}, ${[...new Set(roles)]})
        returning *),
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
  const keep = (value: unknown, column: Sql): Sql =>
    value === undefined ? column : sql`${value}`;
  const [row] = await db
    .query<GroupRow>(sql`update users.groups
      set updated_at = now(), name = ${keep(change.name, sql`name`)},
      description = ${keep(change.description, sql`description`)},
      external_name = ${keep(change.externalName, sql`external_name`)},
      roles = ${keep(change.roles && [...new Set(change.roles)], sql`roles`)}
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

interface GroupQuery {
  query?: string | undefined;
  containing?: string | undefined;
}

export async function listGroups(
  db: Database,
  clientId: string,
  { query, containing, ...page }: PageQuery & GroupQuery,
) {
  const conditions = [sql`client_id = ${clientId}`];
  if (query !== undefined)
    conditions.push(sql`strpos(users.fold_text(name), users.fold_text(${query})) > 0`);
  if (containing !== undefined)
    conditions.push(
      sql`id in (select parent_id from users.group_groups where child_id = ${containing})`,
    );
  return pageOfGroups(db, join(conditions, " and "), page);
}

export async function listNested(db: Database, id: string, page: PageQuery) {
  const condition = sql`id in (select child_id from users.group_groups where parent_id = ${id})`;
  return pageOfGroups(db, condition, page);
}

async function pageOfGroups(db: Database, condition: Sql, page: PageQuery) {
  const rows = await db.query<
    GroupRow & Pick<ListedGroup, "memberCount" | "groupCount">
  >(sql`
    select page.*,
      (select count(*)::int from users.group_members where group_id = page.id) as "memberCount",
      (select count(*)::int from users.group_groups where parent_id = page.id) as "groupCount"
    from (select ${COLUMNS} from users.groups where ${condition} order by lower(name)
      limit ${page.limit} offset ${offsetOf(page)}) page
    order by lower(page.name)`);
  return {
    items: rows.map(toListedGroup),
    ...page,
    total: await countGroups(db, condition),
  };
}

async function countGroups(db: Database, condition: Sql): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.groups where ${condition}`,
  );
  return count?.total ?? 0;
}

function groupNotFound(): NotFound {
  return new NotFound(
    "group_not_found",
    "This group does not exist. GET /api/v1/groups lists the groups.",
  );
}

function throwNameTaken(error: unknown): never {
  throw isUniqueViolation(error)
    ? new Conflict("group_name_taken", "Another group has this name. Choose another name.")
    : error;
}

function toListedGroup(row: GroupRow & Pick<ListedGroup, "memberCount" | "groupCount">) {
  return { ...toGroup(row), memberCount: row.memberCount, groupCount: row.groupCount };
}

function toGroup(row: GroupRow): Group {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
