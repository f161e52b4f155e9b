import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { BadRequest, Conflict, NotFound } from "../../../platform/http/errors.ts";

export interface GroupLimits {
  maxMembers: number;
  maxGroupsOfUser: number;
}

/** How many groups may contain one group, directly or through others. */
const MAX_GROUPS_ABOVE = 100;

/**
 * @throws BadRequest `user_not_found` for users who are unknown, deleted or of another tenant;
 * Conflict `too_many_members` or `too_many_groups_of_user`.
 */
export async function addMember(
  { db, maxMembers, maxGroupsOfUser }: GroupLimits & { db: Database },
  groupId: string,
  userId: string,
): Promise<void> {
  const [known] = await db.query(sql`select person.id from users.known_users person
    join users.groups on groups.client_id = person.client_id
    where person.id = ${userId} and person.state <> 'deleted' and groups.id = ${groupId}`);
  if (!known)
    throw new BadRequest(
      "user_not_found",
      "This user does not exist in your organisation. GET /api/v1/users lists its users.",
    );
  const countMembers = async (where: Sql) => {
    const [count] = await db.query<{ total: number }>(
      sql`select count(*)::int as total from users.group_members where ${where}`,
    );
    return count?.total ?? 0;
  };
  const ofGroup = {
    key: `members of group ${groupId}`,
    max: maxMembers,
    count: () => countMembers(sql`group_id = ${groupId} and user_id <> ${userId}`),
    code: "too_many_members",
    message: `A group may have ${maxMembers} members. Nest groups in this one instead.`,
  };
  const ofUser = {
    key: `groups of user ${userId}`,
    max: maxGroupsOfUser,
    count: () => countMembers(sql`user_id = ${userId} and group_id <> ${groupId}`),
    code: "too_many_groups_of_user",
    message: `A user may be in ${maxGroupsOfUser} groups. Nest groups, or remove the user from some.`,
  };
  await insertWithinLimit(db, ofGroup, () =>
    insertWithinLimit(db, ofUser, () =>
      db.query(
        sql`insert into users.group_members (group_id, user_id) values (${groupId}, ${userId})
          on conflict do nothing`,
      ),
    ),
  );
}

export async function removeMember(
  db: Database,
  groupId: string,
  userId: string,
): Promise<void> {
  const removed = await db.query(
    sql`delete from users.group_members where group_id = ${groupId} and user_id = ${userId}
      returning user_id`,
  );
  if (removed.length === 0)
    throw new NotFound(
      "member_not_found",
      "This user is not in the group. GET /api/v1/groups/:id/members lists its members.",
    );
}

/**
 * Members of `childId` become members of `groupId`.
 * @throws Conflict `group_cycle` or `groups_too_deep`.
 */
export async function nestGroup(
  db: Database,
  groupId: string,
  childId: string,
): Promise<void> {
  await db.tx(async () => {
    await lockGroupTree(db);
    const cycle = await db.query(
      sql`select 1 from users.group_closure
        where descendant_id = ${groupId} and ancestor_id = ${childId}`,
    );
    if (cycle.length > 0)
      throw new Conflict(
        "group_cycle",
        "A group cannot contain itself or a group that contains it. Choose another group.",
      );
    await db.query(
      sql`insert into users.group_groups (parent_id, child_id) values (${groupId}, ${childId})
        on conflict do nothing`,
    );
    await db.query(sql`insert into users.group_closure (descendant_id, ancestor_id)
      select below.descendant_id, above.ancestor_id
        from users.group_closure below, users.group_closure above
      where below.ancestor_id = ${childId} and above.descendant_id = ${groupId}
      on conflict do nothing`);
    await refuseTooDeep(db, childId);
  });
}

/** Bounds how many groups a membership can stand for, and with it the depth. */
async function refuseTooDeep(db: Database, groupId: string): Promise<void> {
  const [tooDeep] = await db.query(sql`select above.descendant_id
    from users.group_closure below
      join users.group_closure above on above.descendant_id = below.descendant_id
    where below.ancestor_id = ${groupId}
    group by above.descendant_id having count(*) > ${MAX_GROUPS_ABOVE + 1} limit 1`);
  if (tooDeep)
    throw new Conflict(
      "groups_too_deep",
      `At most ${MAX_GROUPS_ABOVE} groups may contain one group, directly or through others. Nest fewer groups.`,
      { params: { max: MAX_GROUPS_ABOVE } },
    );
}

export async function unnestGroup(
  db: Database,
  groupId: string,
  childId: string,
): Promise<void> {
  await db.tx(async () => {
    await lockGroupTree(db);
    const ended = await db.query(
      sql`delete from users.group_groups where parent_id = ${groupId} and child_id = ${childId}
        returning child_id`,
    );
    if (ended.length === 0)
      throw new NotFound(
        "nested_group_not_found",
        "That group is not nested in this one. GET /api/v1/groups/:id/groups lists " +
          "those that are.",
      );
    await rebuildAncestors(db, await descendantsOf(db, childId));
  });
}

export async function deleteGroup(db: Database, groupId: string): Promise<void> {
  await db.tx(async () => {
    await lockGroupTree(db);
    const orphans = (await descendantsOf(db, groupId)).filter((id) => id !== groupId);
    await db.query(
      sql`update users.shares set revoked_at = now()
        where subject = ${`group:${groupId}`} and revoked_at is null`,
    );
    await db.query(sql`delete from users.groups where id = ${groupId}`);
    await rebuildAncestors(db, orphans);
  });
}

/** Two concurrent changes could form a cycle, or each miss what the other adds. */
async function lockGroupTree(db: Database): Promise<void> {
  await db.query(sql`select from users.trees where name = 'groups' for update`);
}

async function descendantsOf(db: Database, groupId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select descendant_id as id from users.group_closure where ancestor_id = ${groupId}`,
  );
  return rows.map(({ id }) => id);
}

/** Computes again which groups contain these. */
async function rebuildAncestors(db: Database, ids: string[]): Promise<void> {
  await db.query(
    sql`delete from users.group_closure where descendant_id = any(${ids}::uuid[])`,
  );
  await db.query(sql`
    with recursive up (descendant_id, ancestor_id) as (
      select id, id from users.groups where id = any(${ids}::uuid[])
      union
      select up.descendant_id, nested.parent_id from up
        join users.group_groups nested on nested.child_id = up.ancestor_id
    )
    insert into users.group_closure (descendant_id, ancestor_id) select descendant_id, ancestor_id
      from up`);
}
