import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { AccessGround, Resource } from "../contract-sharing.ts";
import { roleOf } from "./decide-access.ts";
import { resourceNotFound } from "./features-store.ts";

const MAX_GROUNDS = 50;

interface Row extends Omit<AccessGround, "since" | "role"> {
  rank: number;
  since: Date | null;
  ownerName: string | null;
}

/**
 * Why a user has access to a resource: the grants from which `decideAccess` takes the strongest.
 * @throws NotFound `resource_not_found` without access.
 */
export async function explainAccess(
  db: Database,
  userId: string,
  { resourceType, resourceId }: Resource,
) {
  const rows = await db.query<Row>(
    sql`
    select given.kind, given.rank,
      case when place.id <> feature.id then place.resource_id end as "folderId",
      groups.name as "groupName", granter.name as "grantedByName", share.created_at as since,
      owner.name as "ownerName"
    from users.features feature
    cross join users.grants_on(${userId}, ${resourceType}, ${resourceId}) given
    join users.features place on place.id = given.feature_id
    left join users.known_users owner on owner.id = feature.owner_id
    left join users.shares share on share.id = given.share_id
    left join users.groups on given.kind = 'group' and groups.id::text = share.subject_id
    left join users.known_users granter on granter.id = share.granted_by_user_id
    where feature.type = ${resourceType} and feature.resource_id = ${resourceId}
    order by given.rank desc, cardinality(place.ancestors) desc, given.kind desc,
      share.created_at limit ${MAX_GROUNDS}`,
    { name: "explain-access" },
  );
  const [first] = rows;
  if (!first) throw resourceNotFound();
  return {
    role: roleOf(first.rank),
    ownerName: first.ownerName,
    grounds: rows.map(({ ownerName: _, rank, since, ...ground }) => ({
      ...ground,
      role: roleOf(rank),
      since: since && since.toISOString(),
    })),
  };
}
