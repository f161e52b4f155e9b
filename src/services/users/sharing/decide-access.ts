import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { AccessRole, type Resource } from "../contract-sharing.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a user of this service; null for users of another issuer. */
export function uuidOrNull(userId: string): string | null {
  return UUID.test(userId) ? userId : null;
}

/** Roles from the weakest, rank 1 as `array_position` counts, to the strongest. */
export const RANKS = sql`'{viewer,commenter,editor,owner}'::text[]`;

/** The user and every group of the user, nested groups too, as shares name them. */
export function subjectsOf(userId: string): Sql {
  return sql`users.subjects_of(${userId}, ${uuidOrNull(userId)}::uuid)`;
}

/**
 * What a user may do with each resource: the strongest of ownership, shares with the user or their
 * groups, and links, on the resource itself or on a folder above it. Access is decided only here
 * and never cached, so a revocation is effective at the next call. Two statements with the same
 * meaning decide for one resource and for many, because each is slow at the other's task.
 * @returns roles in the order of `resources`; null for no access and for unregistered resources.
 */
export async function decideAccess(
  db: Database,
  userId: string,
  resources: readonly Resource[],
): Promise<(AccessRole | null)[]> {
  const [first] = resources;
  return resources.length === 1 && first
    ? [await decideOne(db, userId, first)]
    : decideMany(db, userId, resources);
}

async function decideOne(
  db: Database,
  userId: string,
  { resourceType, resourceId }: Resource,
): Promise<AccessRole | null> {
  const ownUserId = sql`${uuidOrNull(userId)}::uuid`;
  const [row] = await db.query<{ rank: number | null }>(
    sql`
    select max(granted.rank) as rank from users.features feature
    join users.known_users person on person.id = ${userId} and person.state = 'active'
      and person.client_id = feature.client_id
    cross join lateral (
      select 4 as rank from users.features above
        where above.id = any(feature.ancestors) and above.owner_id = ${userId}
      union all
      select array_position(${RANKS}, share.access_role) from users.shares share
        where share.feature_id = any(feature.ancestors) and share.revoked_at is null
          and share.subject =
          any(array_append(array(select 'group:' || closure.ancestor_id
          from users.group_closure closure
            where closure.descendant_id in (
              select group_id from users.group_members where user_id = ${userId}
              union all
              select groups.id from users.identities
                join users.groups on groups.external_name = any(identities.groups)
                and groups.client_id = person.client_id
                where identities.user_id = ${ownUserId})), ${`user:${userId}`}))
      union all
      select array_position(${RANKS}, link.access_level) from users.links link
        where link.feature_id = any(feature.ancestors) and link.enabled
        and (link.expires_at is null or link.expires_at > now())
          and (link.allowed_users is null or ${userId} = any(link.allowed_users))
    ) granted
    where feature.type = ${resourceType} and feature.resource_id = ${resourceId}`,
    { name: "decide-access" },
  );
  return roleOf(row?.rank ?? 0);
}

/** Calls `users.decide_access_of_many` (0028_known_users.sql). */
async function decideMany(
  db: Database,
  userId: string,
  resources: readonly Resource[],
): Promise<(AccessRole | null)[]> {
  const types = resources.map(({ resourceType }) => resourceType);
  const ids = resources.map(({ resourceId }) => resourceId);
  const [row] = await db.query<{ decided: string | null }>(
    sql`select users.decide_access_of_many(${userId}, ${uuidOrNull(userId)}::uuid,
      ${types}::text[], ${ids}::text[]) as decided`,
    { name: "decide-access-of-many" },
  );
  const roles = resources.map((): AccessRole | null => null);
  for (const one of row?.decided?.split(",") ?? []) {
    const [place, rank] = one.split(":");
    roles[Number(place) - 1] = roleOf(Number(rank));
  }
  return roles;
}

function roleOf(rank: number): AccessRole | null {
  return AccessRole.options[rank - 1] ?? null;
}
