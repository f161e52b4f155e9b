import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { AccessRole, type Resource } from "../contract-sharing.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A user's id as identity knows it; null for one of another issuer. */
export function uuidOrNull(userId: string): string | null {
  return UUID.test(userId) ? userId : null;
}

/** Weakest 1, as `array_position` counts. */
export const RANKS = sql`'{viewer,commenter,editor,owner}'::text[]`;

/** One row with `list`: the user and every group that he is in, by the API or by his identity provider, nested ones too. */
export function subjectsOf(userId: string): Sql {
  return sql`select array_append(array_agg('group:' || closure.ancestor_id), ${`user:${userId}`}) as list
    from users.group_closure closure where closure.descendant_id in (
      select group_id from users.group_members where user_id = ${userId}
      union all
      select groups.id from users.identities join users.groups on groups.external_name = any(identities.groups)
        where identities.user_id = ${uuidOrNull(userId)}::uuid)`;
}

/**
 * What a user may do with each resource: the strongest of ownership, shares with him or his groups, and links, on the resource itself or
 * on a folder above it. The only place where access is decided, in one statement, without a cache: a revocation holds at the next call.
 * @returns roles in the order of `resources`; null for no access and for what is not registered.
 * Source: requirements 3, "Check-access body"; design "A document inherits its folder's shares".
 */
export async function decideAccess(db: Database, userId: string, resources: readonly Resource[]): Promise<(AccessRole | null)[]> {
  const rows = await db.query<{ role: AccessRole | null }>(sql`
    with subjects as materialized (${subjectsOf(userId)}),
    me as materialized (select client_id, disabled from users.users where id = ${uuidOrNull(userId)}::uuid)
    select (${RANKS})[decided.rank] as role
    from unnest(${resources.map(({ resourceType }) => resourceType)}::text[], ${resources.map(({ resourceId }) => resourceId)}::text[])
      with ordinality as asked (type, resource_id, position)
    left join users.features feature on feature.type = asked.type and feature.resource_id = asked.resource_id
    left join lateral (
      select max(granted.rank) as rank from (
        select 4 as rank from users.features above
          where above.id = any(feature.ancestors) and above.owner_id = ${userId}
        union all
        select array_position(${RANKS}, share.access_role) from users.shares share
          where share.feature_id = any(feature.ancestors) and share.subject = any((select list from subjects)::text[])
            and share.revoked_at is null
        union all
        select array_position(${RANKS}, link.access_level) from users.links link
          where link.feature_id = any(feature.ancestors) and link.enabled and (link.expires_at is null or link.expires_at > now())
            and (link.allowed_users is null or ${userId} = any(link.allowed_users))
            and feature.client_id = coalesce((select client_id from me), 'default')
      ) granted
    ) decided on not coalesce((select disabled from me), false)
    order by asked.position`);
  return rows.map(({ role }) => role);
}

/** Whether a role is enough for what asks for at least another. */
export function isAtLeast(role: AccessRole | null, least: AccessRole): boolean {
  return role !== null && AccessRole.options.indexOf(role) >= AccessRole.options.indexOf(least);
}
