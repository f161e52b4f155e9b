import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Resource, SharedWithMe } from "../contract-sharing.ts";
import { roleOf } from "./decide-access.ts";

type Shared = Omit<SharedWithMe, "ownerName" | "through">;
type Description = Resource & Pick<SharedWithMe, "ownerName" | "through">;

interface SharedQuery {
  resourceType?: Resource["resourceType"] | undefined;
  /** Includes the contents of shared folders, and others' resources in the user's folders. */
  inherited: boolean;
  /** Only what was shared from then on, the newest first. */
  since?: string | undefined;
  limit: number;
  offset: number;
}

/**
 * What others shared with a user or the user's groups, in a stable order, without resources that
 * only a link opens. With `since` a share counts by itself: others of the same thing may be older.
 */
export async function listShared(
  db: Database,
  userId: string,
  { resourceType, inherited, since, limit, offset }: SharedQuery,
) {
  const isReached = inherited
    ? sql`feature.ancestors @> array[given.feature_id]`
    : sql`feature.id = given.feature_id`;
  // of what the user owns only folders matter: others' resources may lie in them
  const isCounted = inherited
    ? sql`share_id is not null or is_own_folder`
    : sql`share_id is not null`;
  const granted =
    since === undefined
      ? sql`select *, null::timestamptz as shared_at from users.grants(${userId})
          where ${isCounted}`
      : sql`select given.*, share.created_at as shared_at
          from users.grants(${userId}) as given
          join users.shares share on share.id = given.share_id
          where share.created_at >= ${since}::timestamptz`;
  const found = sql`
    with given as (${granted}),
    found as (
      select feature.id, feature.type, feature.resource_id, max(given.rank) as rank,
        bool_and(given.feature_id <> feature.id) as inherited,
        max(given.shared_at) as shared_at
      from given join users.features feature on ${isReached}
        and feature.client_id = given.client_id
      where feature.owner_id <> ${userId}
      and (${resourceType ?? null}::text is null or feature.type = ${resourceType ?? null})
      group by feature.id
    )`;
  const rows = await db.query<Omit<Shared, "role"> & { rank: number }>(
    sql`${found}
    select type as "resourceType", resource_id as "resourceId", rank, inherited
    from found order by shared_at desc nulls last, id desc limit ${limit} offset ${offset}`,
    {
      name: since
        ? "list-newly-shared"
        : inherited
          ? "list-shared-inherited"
          : "list-shared",
    },
  );
  const items = rows.map(({ rank, ...row }): Shared => ({ ...row, role: roleOf(rank) }));
  const isLast = items.length < limit && (items.length > 0 || offset === 0);
  if (isLast) return { items, total: offset + items.length };
  const [count] = await db.query<{ total: number }>(
    sql`${found} select count(*)::int as total from found`,
  );
  return { items, total: count?.total ?? 0 };
}

/** Adds to shared resources whose they are, and the shares that give them to the user. */
export async function describeShared(
  db: Database,
  userId: string,
  items: readonly Shared[],
): Promise<SharedWithMe[]> {
  if (items.length === 0) return [];
  const rows = await db.query<Description>(
    sql`
    with found as (
      select feature.* from jsonb_to_recordset(${jsonb(items)})
        as wanted ("resourceType" text, "resourceId" text)
      join users.features feature on feature.type = wanted."resourceType"
        and feature.resource_id = wanted."resourceId"
    ),
    -- materialized, or the planner, which expects one row, reads them again for each resource
    given as materialized (
      select share.* from users.grants(${userId}) granted
      join users.shares share on share.id = granted.share_id
      where granted.feature_id = any(array(select id from found))
    )
    select found.type as "resourceType", found.resource_id as "resourceId",
      owner.name as "ownerName",
      coalesce(jsonb_agg(jsonb_build_object('subjectType', share.subject_type,
        'name', coalesce(groups.name, ''), 'grantedByName', granter.name, 'createdAt',
        to_char(share.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        order by share.created_at desc, share.id desc) filter (where share.id is not null), '[]') as through
    from found
    left join users.known_users owner on owner.id = found.owner_id
    left join given share on share.feature_id = found.id
    left join users.groups on share.subject_type = 'group'
      and groups.id::text = share.subject_id
    left join users.known_users granter on granter.id = share.granted_by_user_id
    group by found.id, found.type, found.resource_id, owner.name`,
  );
  const keyOf = ({ resourceType, resourceId }: Resource) => `${resourceType} ${resourceId}`;
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return items.map((item) => {
    const { ownerName = null, through = [] } = byKey.get(keyOf(item)) ?? {};
    return { ...item, ownerName, through };
  });
}
