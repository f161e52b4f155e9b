import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { BadRequest, Conflict } from "../../../platform/http/errors.ts";
import { isUuid } from "../../../platform/uuid.ts";
import { currentContext } from "../../../platform/http/context.ts";
import type { AuditAction } from "../contract-audit.ts";
import { type GroupLimits, nestGroup, unnestGroup } from "../groups/change-members.ts";
import { adoptAccounts } from "./adopt-accounts.ts";
import { invalidPath, invalidValue, tooMany } from "./errors.ts";
import type { Filter } from "./filter.ts";
import type { Change } from "./patch.ts";
import { readValue } from "./values.ts";

/** Members of groups, which may be thousands: they are changed in sets, not one by one. */

export interface Member {
  groupId: string;
  id: string;
  kind: "User" | "Group";
}

/** What becomes of the members of a group. */
export interface MemberChange {
  /** Whether those who are not named leave. */
  replaces: boolean;
  /** By their ids, whether they are members then. */
  named: Map<string, boolean>;
}

/** Accounts and nested groups. Users of another issuer are none of the identity provider's. */
export function listScimMembers(db: Database, groupIds: readonly string[]) {
  return db.query<Member>(sql`
    select member.group_id as "groupId", member.user_id as id, 'User' as kind
      from users.group_members member
      join users.known_users known on known.id = member.user_id and not known.is_external
      where member.group_id = any(${[...groupIds]}::uuid[])
    union all
    select parent_id, child_id::text, 'Group' from users.group_groups
      where parent_id = any(${[...groupIds]}::uuid[])
    order by 1, 3, 2`);
}

/** What a list of operations does to members, one after another. */
export function toMemberChange(changes: readonly Change[]): MemberChange {
  const result: MemberChange = { replaces: false, named: new Map() };
  for (const change of changes) {
    const { op, filter, sub, value, attribute } = change;
    if (sub) throw invalidPath(`members.${sub.name}`);
    // Entra removes by a path without a filter and a list of members as the value
    const ids = filter ? idsOf(filter) : memberIds(readValue(attribute, value));
    const removesAll = op === "remove" && !filter && ids.length === 0;
    if (removesAll || (op === "replace" && !filter)) {
      result.replaces = true;
      result.named.clear();
    }
    for (const id of ids) result.named.set(id, op !== "remove");
  }
  return result;
}

/** The ids in `members[value eq "…" or value eq "…"]`. */
function idsOf(filter: Filter): string[] {
  if (filter.kind === "or") return filter.parts.flatMap(idsOf);
  const isId =
    filter.kind === "compare" &&
    filter.operator === "eq" &&
    filter.path.toLowerCase() === "value";
  if (!isId || typeof filter.value !== "string")
    throw invalidPath("members[…], which takes only value eq");
  return [filter.value];
}

/** The ids of members as a body names them. */
export function memberIds(members: unknown): string[] {
  const list = Array.isArray(members) ? (members as { value?: unknown }[]) : [];
  return list.map(({ value }) => {
    if (typeof value !== "string") throw invalidValue("members", "a value is missing");
    return value;
  });
}

/** Each one locks the tree of all groups until the request ends. */
const MAX_NESTED_CHANGES = 100;

interface Target {
  groupId: string;
  clientId: string;
  actor: string;
}

/**
 * Changes members in the transaction of the caller, and records each change.
 * @returns whether anything changed.
 * @throws BadRequest `scim_member_unknown`, `scim_value_invalid`, Conflict `too_many_members`,
 * `too_many_groups_of_user`, `group_cycle`, `groups_too_deep`.
 */
export async function changeScimMembers(
  deps: GroupLimits & { db: Database },
  target: Target,
  { replaces, named }: MemberChange,
): Promise<boolean> {
  const { db } = deps;
  const { groupId, clientId } = target;
  const wanted = [...named].flatMap(([id, isMember]) => (isMember ? [id] : []));
  if (!replaces && named.size === 0) return false;
  // two changes of one group would each count the members without the other's
  await lockKeys(db, [`scim members ${groupId}`]);
  const kinds = await kindsOf(db, clientId, wanted);
  const current = await listScimMembers(db, [groupId]);
  const had = new Set(current.map(({ id }) => id));
  const leaving = current.filter(
    ({ id }) => named.get(id) === false || (replaces && !named.has(id)),
  );
  const joining = wanted.filter((id) => !had.has(id));
  const users = joining.filter((id) => kinds.get(id) === "User");
  const groups = joining.filter((id) => kinds.get(id) === "Group");
  const unnested = leaving.filter(({ kind }) => kind === "Group").length;
  if (groups.length + unnested > MAX_NESTED_CHANGES)
    throw tooMany("groups in members to change at once", MAX_NESTED_CHANGES);
  await removeMembers(db, target, leaving);
  await addUsers(deps, target, users);
  for (const id of groups) await nestGroup(db, groupId, id);
  await recordMembers(db, target, "group.nested", "groupId", groups);
  return leaving.length + joining.length > 0;
}

/** @throws BadRequest `scim_member_unknown`. */
async function kindsOf(
  db: Database,
  clientId: string,
  ids: string[],
): Promise<Map<string, Member["kind"]>> {
  const rows = await db.query<{ id: string; kind: Member["kind"] }>(sql`
    select id, 'User' as kind from users.known_users where id = any(${ids})
      and client_id = ${clientId} and state <> 'deleted' and not is_external
    union all
    select id::text, 'Group' from users.groups
      where id = any(${ids.filter((id) => isUuid(id))}::uuid[]) and client_id = ${clientId}`);
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]));
  const unknown = ids.find((id) => !kinds.has(id));
  if (unknown !== undefined)
    throw new BadRequest(
      "scim_member_unknown",
      `There is no user or group "${unknown}". Create it first.`,
      { params: { id: unknown } },
    );
  return kinds;
}

async function addUsers(
  { db, maxMembers, maxGroupsOfUser }: GroupLimits & { db: Database },
  target: Target,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { groupId, actor } = target;
  await adoptAccounts(db, ids, actor);
  const limit = {
    key: `members of group ${groupId}`,
    max: maxMembers,
    added: ids.length,
    count: async () => {
      const [count] = await db.query<{ total: number }>(
        sql`select count(*)::int as total from users.group_members where group_id = ${groupId}`,
      );
      return count?.total ?? 0;
    },
    code: "too_many_members",
    message: `A group may have ${maxMembers} members. Nest groups in this one instead.`,
  };
  await insertWithinLimit(db, limit, () =>
    db.query(sql`insert into users.group_members (group_id, user_id)
      select ${groupId}, id from unnest(${ids}::text[]) id on conflict do nothing`),
  );
  const [full] = await db.query(sql`select user_id from users.group_members
    where user_id = any(${ids}) group by user_id having count(*) > ${maxGroupsOfUser} limit 1`);
  if (full)
    throw new Conflict(
      "too_many_groups_of_user",
      `A user may be in ${maxGroupsOfUser} groups. Nest groups, or remove the user from some.`,
      { params: { max: maxGroupsOfUser } },
    );
  await recordMembers(db, target, "group.member_added", "userId", ids);
}

async function removeMembers(
  db: Database,
  target: Target,
  leaving: readonly Member[],
): Promise<void> {
  const users = leaving.filter(({ kind }) => kind === "User").map(({ id }) => id);
  const groups = leaving.filter(({ kind }) => kind === "Group").map(({ id }) => id);
  if (users.length > 0)
    await db.query(sql`delete from users.group_members
      where group_id = ${target.groupId} and user_id = any(${users})`);
  for (const id of groups) await unnestGroup(db, target.groupId, id);
  await recordMembers(db, target, "group.member_removed", "userId", users);
  await recordMembers(db, target, "group.unnested", "groupId", groups);
}

/** An entry of the audit log for each, as for a change by an administrator. */
async function recordMembers(
  db: Database,
  { groupId, clientId, actor }: Target,
  action: AuditAction,
  field: "userId" | "groupId",
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const entries = ids.map(() => uuidv7());
  await db.query(sql`insert into users.audit_events
      (id, client_id, actor_id, action, resource_type, resource_id, details, request_id)
    select entry, ${clientId}, ${actor}, ${action}, 'group', ${groupId},
      jsonb_build_object(${field}::text, member), ${currentContext()?.requestId ?? null}
    from unnest(${entries}::uuid[], ${[...ids]}::text[]) as made (entry, member)`);
}
