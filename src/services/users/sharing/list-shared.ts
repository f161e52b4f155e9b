import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { AccessRole, Resource } from "../contract-sharing.ts";
import { RANKS, subjectsOf } from "./decide-access.ts";

interface SharedQuery {
  resourceType?: Resource["resourceType"] | undefined;
  /** Includes the contents of shared folders, and others' resources in the user's folders. */
  inherited: boolean;
  limit: number;
  offset: number;
}

/**
 * What others shared with a user or the user's groups, in a stable order, without resources that
 * only a link opens.
 */
export async function listShared(
  db: Database,
  userId: string,
  { resourceType, inherited, limit, offset }: SharedQuery,
) {
  const isReached = inherited
    ? sql`feature.ancestors @> array[granted.feature_id]`
    : sql`feature.id = granted.feature_id`;
  const found = sql`
    with granted as (
      select feature_id, array_position(${RANKS}, access_role) as rank from users.shares
        where subject = any((select ${subjectsOf(userId)})::text[]) and revoked_at is null
      union all
      select id, 4 from users.features where owner_id = ${userId} and type = 'folder'
        and ${inherited}
    ),
    found as (
      select feature.id, feature.type, feature.resource_id, max(granted.rank) as rank,
        bool_and(granted.feature_id <> feature.id) as inherited
      from granted join users.features feature on ${isReached}
      where feature.owner_id <> ${userId}
      and (${resourceType ?? null}::text is null or feature.type = ${resourceType ?? null})
        and feature.client_id = (select client_id from users.known_users
        where id = ${userId} and state = 'active')
      group by feature.id
    )`;
  const items = await db.query<Resource & { role: AccessRole; inherited: boolean }>(
    sql`${found}
    select type as "resourceType", resource_id as "resourceId", (${RANKS})[rank] as role, inherited
    from found order by id desc limit ${limit} offset ${offset}`,
    { name: inherited ? "list-shared-inherited" : "list-shared" },
  );
  const isLast = items.length < limit && (items.length > 0 || offset === 0);
  if (isLast) return { items, total: offset + items.length };
  const [count] = await db.query<{ total: number }>(
    sql`${found} select count(*)::int as total from found`,
  );
  return { items, total: count?.total ?? 0 };
}

/**
 * Users and groups of the user's organization whose name or email address begins with the query, in
 * any case and with or without diacritics.
 */
export async function listSubjects(
  db: Database,
  clientId: string,
  query: string,
  limit: number,
  offset: number,
) {
  const prefix = sql`users.fold_text(${query.replaceAll("\0", "")})`;
  const found = sql`
    select 'user' as "subjectType", id as "subjectId", name from users.known_users
      where client_id = ${clientId} and state = 'active'
        and (users.fold_text(name) ^@ ${prefix} or users.fold_text(email) ^@ ${prefix})
    union all
    select 'group', id::text, name from users.groups
      where client_id = ${clientId} and users.fold_text(name) ^@ ${prefix}`;
  const items = await db.query<{
    subjectType: "user" | "group";
    subjectId: string;
    name: string;
  }>(sql`${found} order by name, 2 limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from (${found}) found`,
  );
  return { items, total: count?.total ?? 0 };
}
