import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { ScimClient } from "../../../platform/http/caller.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import type { ScimQuery } from "../contract-scim.ts";
import { type ChangeDeps, createGroupChanges } from "../groups/change-group.ts";
import { deleteGroup, type GroupLimits } from "../groups/change-members.ts";
import { insertGroup, updateGroup } from "../groups/groups-store.ts";
import { uuidOrNull } from "../user-id.ts";
import { isAsked, pageOfQuery } from "./answers.ts";
import { GROUP } from "./attributes.ts";
import { notFound } from "./discovery.ts";
import { invalidValue } from "./errors.ts";
import { parseFilter } from "./filter.ts";
import { type Columns, toCondition } from "./filter-to-sql.ts";
import {
  changeScimMembers,
  listScimMembers,
  type Member,
  memberIds,
  type MemberChange,
  toMemberChange,
} from "./members.ts";
import { applyChanges, type Operation, readOperations } from "./patch.ts";
import { readResource, type Resource } from "./values.ts";

/** Groups that an identity provider reads and changes. */

export interface GroupsDeps extends ChangeDeps, GroupLimits {
  maxGroups: number;
}

export interface ScimGroupRow {
  id: string;
  name: string;
  externalId: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Undefined where nobody asked for them. */
  members: Member[] | undefined;
}

/** How many members the groups of a page have together; a page ends before it has more. */
const MAX_LISTED_MEMBERS = 20_000;

const SELECTED = sql`id, name, external_id as "externalId", created_at as "createdAt",
  updated_at as "updatedAt"`;
const hasMember = (id: string) => sql`id in (
  select group_id from users.group_members where user_id = ${id}
  union all select parent_id from users.group_groups where child_id = ${uuidOrNull(id)}::uuid)`;
const COLUMNS: Columns = {
  displayname: { kind: "text", column: sql`lower(name)` },
  externalid: { kind: "exact", column: sql`external_id` },
  id: { kind: "equals", condition: (id) => sql`id = ${uuidOrNull(id)}::uuid` },
  members: { kind: "equals", condition: hasMember },
  "members.value": { kind: "equals", condition: hasMember },
  "meta.created": { kind: "time", column: sql`created_at` },
  "meta.lastmodified": { kind: "time", column: sql`updated_at` },
};

export async function listScimGroups(
  db: Database,
  { clientId }: ScimClient,
  query: ScimQuery,
): Promise<{ rows: ScimGroupRow[]; total: number; startIndex: number }> {
  const conditions: Sql[] = [sql`client_id = ${clientId}`];
  if (query.filter !== undefined && query.filter.trim() !== "")
    conditions.push(toCondition(GROUP, COLUMNS, parseFilter(query.filter)));
  const where = join(conditions, " and ");
  const { startIndex, offset, limit } = pageOfQuery(query);
  const page = await db.query<ScimGroupRow & { size: number }>(sql`
    select page.*, (select count(*)::int from users.group_members where group_id = page.id)
      + (select count(*)::int from users.group_groups where parent_id = page.id) as size
    from (select ${SELECTED} from users.groups where ${where} order by id
      limit ${limit} offset ${offset}) page order by page.id`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.groups where ${where}`,
  );
  const hasMembers = isAsked(GROUP, query, "members");
  const rows = hasMembers ? withinMembers(page) : page;
  return {
    rows: hasMembers ? await withMembers(db, rows) : rows,
    total: count?.total ?? 0,
    startIndex,
  };
}

/** The first groups of a page, at least one, whose members are not too many for one answer. */
function withinMembers<Row extends { size: number }>(page: readonly Row[]): Row[] {
  let members = 0;
  const end = page.findIndex(({ size }, index) => {
    members += size;
    return index > 0 && members > MAX_LISTED_MEMBERS;
  });
  return page.slice(0, end < 0 ? page.length : end);
}

async function withMembers(
  db: Database,
  rows: readonly Omit<ScimGroupRow, "members">[],
): Promise<ScimGroupRow[]> {
  const all = await listScimMembers(
    db,
    rows.map(({ id }) => id),
  );
  const byGroup = Map.groupBy(all, ({ groupId }) => groupId);
  return rows.map((row) => ({ ...row, members: byGroup.get(row.id) ?? [] }));
}

/** @throws NotFound `scim_not_found`. */
export async function findScimGroup(
  db: Database,
  { clientId }: ScimClient,
  id: string,
  { hasMembers = false, lock = sql`` } = {},
): Promise<ScimGroupRow> {
  const [row] = await db.query<ScimGroupRow>(sql`select ${SELECTED} from users.groups
    where id = ${uuidOrNull(id)}::uuid and client_id = ${clientId} ${lock}`);
  if (!row) throw notFound();
  const [whole] = hasMembers ? await withMembers(db, [row]) : [row];
  return whole ?? row;
}

/** @throws Conflict `group_name_taken`, `too_many_groups`, and as `changeScimMembers`. */
export function createScimGroup(
  deps: GroupsDeps,
  client: ScimClient,
  body: unknown,
): Promise<ScimGroupRow> {
  const { db } = deps;
  const resource = readResource(GROUP, body);
  const { name, externalId } = toGroup(resource);
  return createGroupChanges(deps).run(async () => {
    const { id } = await insertGroup(deps, client.clientId, { name });
    await storeExternalId(db, id, externalId);
    await recordEvent(db, actorOf(client), {
      action: "group.created",
      resourceType: "group",
      resourceId: id,
      details: { name, externalId },
    });
    const named = new Map(memberIds(resource["members"]).map((one) => [one, true]));
    await changeScimMembers(deps, targetOf(client, id), { replaces: false, named });
    return findScimGroup(db, client, id, { hasMembers: true });
  });
}

export function replaceScimGroup(
  deps: GroupsDeps,
  client: ScimClient,
  id: string,
  body: unknown,
): Promise<ScimGroupRow> {
  const resource = readResource(GROUP, body);
  const named = new Map(memberIds(resource["members"]).map((one) => [one, true]));
  return createGroupChanges(deps).run(async () => {
    await changeScimGroup(deps, client, id, () => resource, { replaces: true, named });
    return findScimGroup(deps.db, client, id, { hasMembers: true });
  });
}

export function patchScimGroup(
  deps: GroupsDeps,
  client: ScimClient,
  id: string,
  operations: readonly Operation[],
): Promise<void> {
  const changes = readOperations(GROUP, operations);
  const isOfMembers = ({ attribute }: (typeof changes)[number]) =>
    attribute.name === "members";
  const members = toMemberChange(changes.filter(isOfMembers));
  const others = changes.filter((change) => !isOfMembers(change));
  const change = (resource: Resource) => applyChanges(resource, others);
  return createGroupChanges(deps).run(() =>
    changeScimGroup(deps, client, id, change, members),
  );
}

async function changeScimGroup(
  deps: GroupsDeps,
  client: ScimClient,
  id: string,
  change: (resource: Resource) => Resource,
  members: MemberChange,
): Promise<void> {
  const { db } = deps;
  const current = await findScimGroup(db, client, id, { lock: sql`for update` });
  const { name, externalId } = toGroup(
    change({
      displayName: current.name,
      ...(current.externalId !== null && { externalId: current.externalId }),
    }),
  );
  const fields = {
    ...(name !== current.name && { name }),
    ...(externalId !== current.externalId && { externalId }),
  };
  if (Object.keys(fields).length > 0) {
    if (fields.name !== undefined) await updateGroup(db, current.id, { name });
    await storeExternalId(db, current.id, externalId);
    await recordEvent(db, actorOf(client), {
      action: "group.changed",
      resourceType: "group",
      resourceId: current.id,
      details: fields,
    });
  }
  if (await changeScimMembers(deps, targetOf(client, current.id), members))
    await db.query(
      sql`update users.groups set updated_at = now() where id = ${current.id}`,
    );
}

export function deleteScimGroup(
  deps: GroupsDeps,
  client: ScimClient,
  id: string,
): Promise<void> {
  const { db } = deps;
  return createGroupChanges(deps).run(async () => {
    const { name } = await findScimGroup(db, client, id);
    await deleteGroup(db, id);
    await recordEvent(db, actorOf(client), {
      action: "group.deleted",
      resourceType: "group",
      resourceId: id,
      details: { name },
    });
  });
}

function toGroup({ displayName, externalId }: Resource) {
  const name = typeof displayName === "string" ? displayName.trim() : "";
  if (name === "") throw invalidValue("displayName", "it is missing");
  return { name, externalId: typeof externalId === "string" ? externalId : null };
}

async function storeExternalId(
  db: Database,
  id: string,
  externalId: string | null,
): Promise<void> {
  await db.query(sql`update users.groups set external_id = ${externalId}, updated_at = now()
    where id = ${id}`);
}

const targetOf = (client: ScimClient, groupId: string) => ({
  groupId,
  clientId: client.clientId,
  actor: actorOf(client),
});

export function toScimGroup(row: ScimGroupRow, baseUrl: string) {
  const { id, name, externalId, members } = row;
  return {
    schemas: [GROUP.id],
    id,
    displayName: name,
    ...(externalId !== null && { externalId }),
    ...(members && { members: members.map((member) => toMember(member, baseUrl)) }),
    meta: {
      resourceType: GROUP.name,
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${baseUrl}${GROUP.endpoint}/${id}`,
    },
  };
}

function toMember({ id, kind }: Member, baseUrl: string) {
  return { value: id, $ref: `${baseUrl}/${kind}s/${id}`, type: kind };
}
