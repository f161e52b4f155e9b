import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { AccessGround, Resource } from "../contract-sharing.ts";
import { RANKS, subjectsOf } from "./decide-access.ts";
import { resourceNotFound } from "./features-store.ts";

const MAX_GROUNDS = 50;

interface Row extends Omit<AccessGround, "since"> {
  since: Date | null;
  ownerName: string | null;
}

/**
 * Why a user has access to a resource: by the same rules as `decideAccess`.
 * @throws NotFound `resource_not_found` without access.
 */
export async function explainAccess(
  db: Database,
  userId: string,
  { resourceType, resourceId }: Resource,
) {
  const rows = await db.query<Row>(
    sql`
    select granted.kind, (${RANKS})[granted.rank] as role,
      case when place.id <> feature.id then place.resource_id end as "folderId",
      groups.name as "groupName", granter.name as "grantedByName", granted.since,
      owner.name as "ownerName"
    from users.features feature
    join users.known_users person on person.id = ${userId} and person.state = 'active'
      and person.client_id = feature.client_id
    left join users.known_users owner on owner.id = feature.owner_id
    join users.features place on place.id = any(feature.ancestors)
    cross join lateral (
      select 'owner' as kind, 4 as rank, null::uuid as share_id, null::timestamptz as since
        where place.owner_id = ${userId}
      union all
      select share.subject_type, array_position(${RANKS}, share.access_role), share.id,
          share.created_at
        from users.shares share where share.feature_id = place.id and share.revoked_at is null
          and share.subject = any((select ${subjectsOf(userId)})::text[])
      union all
      select 'link', array_position(${RANKS}, link.access_level), null, null
        from users.links link where link.feature_id = place.id and link.enabled
          and (link.expires_at is null or link.expires_at > now())
          and (link.allowed_users is null or ${userId} = any(link.allowed_users))
    ) granted
    left join users.shares share on share.id = granted.share_id
    left join users.groups on granted.kind = 'group' and groups.id::text = share.subject_id
    left join users.known_users granter on granter.id = share.granted_by_user_id
    where feature.type = ${resourceType} and feature.resource_id = ${resourceId}
    order by granted.rank desc, cardinality(place.ancestors) desc, granted.kind desc,
      granted.since limit ${MAX_GROUNDS}`,
    { name: "explain-access" },
  );
  const [first] = rows;
  if (!first) throw resourceNotFound();
  return {
    role: first.role,
    ownerName: first.ownerName,
    grounds: rows.map(({ ownerName: _, since, ...ground }) => ({
      ...ground,
      since: since && since.toISOString(),
    })),
  };
}
