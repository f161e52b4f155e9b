import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";
import type { MembershipSource } from "../contract-user-access.ts";
import { namesContain } from "../accounts/users-store.ts";

/** How many ways into a group are named. */
const MAX_SOURCES = 20;

interface MembersQuery extends PageQuery {
  effective: boolean;
  query?: string | undefined;
  sort: "id" | "name";
}

interface Member {
  userId: string;
  name: string | null;
  email: string | null;
  sources: MembershipSource[];
}

/**
 * The members that were added to a group; with `effective`, also members of nested groups and
 * members by the identity provider.
 */
export async function listMembers(db: Database, id: string, query: MembersQuery) {
  // `any(array(…))`, not `in`, so that the condition reaches the tables of the view
  const ways = query.effective
    ? sql`select * from users.memberships where group_id = any(array(
        select descendant_id from users.group_closure where ancestor_id = ${id}))`
    : sql`select * from users.memberships where group_id = ${id} and kind = 'added'`;
  const members = sql`
    select member.user_id as "userId", name, email
      from (select distinct user_id from (${ways}) way) member
      left join users.known_users users on users.id = member.user_id
      where ${query.query === undefined ? sql`true` : namesContain(query.query)}`;
  const order = query.sort === "name" ? sql`lower(name), "userId"` : sql`"userId"`;
  const items = await db.query<Member>(sql`
    select page.*, array(${sourcesOf(ways, sql`way.user_id = page."userId"`)}) as sources
    from (${members} order by ${order} limit ${query.limit} offset ${offsetOf(query)}) page
    order by ${order}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from (${members}) member`,
  );
  return { items, page: query.page, limit: query.limit, total: count?.total ?? 0 };
}

/** The groups that a user is a member of in any way, by name. */
export async function listGroupsOfUser(db: Database, userId: string, page: PageQuery) {
  const ways = sql`select * from users.memberships where user_id = ${userId}`;
  const found = sql`select groups.id, groups.name from users.groups where groups.id in (
    select group_id from users.effective_memberships where user_id = ${userId})`;
  const inGroup = sql`way.group_id in (select descendant_id from users.group_closure
    where ancestor_id = page.id)`;
  const items = await db.query<{
    id: string;
    name: string;
    sources: MembershipSource[];
  }>(sql`
    select page.*, array(${sourcesOf(ways, inGroup)}) as sources
    from (${found} order by lower(groups.name) limit ${page.limit} offset ${offsetOf(page)}) page
    order by lower(page.name)`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from (${found}) found`,
  );
  return { items, page: page.page, limit: page.limit, total: count?.total ?? 0 };
}

const sourcesOf = (ways: Sql, condition: Sql) => sql`
  select jsonb_build_object('groupId', via.id, 'groupName', via.name, 'kind', way.kind)
    from (${ways}) way join users.groups via on via.id = way.group_id
    where ${condition} order by lower(via.name), way.kind limit ${MAX_SOURCES}`;
