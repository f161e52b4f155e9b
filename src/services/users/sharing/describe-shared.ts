import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Resource, SharedWithMe } from "../contract-sharing.ts";
import { subjectsOf } from "./decide-access.ts";

type Shared = Omit<SharedWithMe, "ownerName" | "through">;
type Description = Resource & Pick<SharedWithMe, "ownerName" | "through">;

/** Adds to shared resources whose they are, and the shares that give them to the user. */
export async function describeShared(
  db: Database,
  userId: string,
  items: readonly Shared[],
): Promise<SharedWithMe[]> {
  if (items.length === 0) return [];
  const rows = await db.query<Description>(
    sql`select f.type as "resourceType", f.resource_id as "resourceId", owner.name as "ownerName",
      coalesce(jsonb_agg(jsonb_build_object('subjectType', s.subject_type,
        'name', coalesce(g.name, ''), 'grantedByName', granter.name, 'createdAt',
        to_char(s.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        order by s.created_at desc) filter (where s.id is not null), '[]') as through
    from jsonb_to_recordset(${jsonb(items)}) as wanted ("resourceType" text, "resourceId" text)
    join users.features f on f.type = wanted."resourceType"
      and f.resource_id = wanted."resourceId"
    left join users.known_users owner on owner.id = f.owner_id
    left join users.shares s on s.feature_id = f.id and s.revoked_at is null
      and s.subject = any((select ${subjectsOf(userId)})::text[])
    left join users.groups g on s.subject_type = 'group' and g.id::text = s.subject_id
    left join users.known_users granter on granter.id = s.granted_by_user_id
    group by f.id, owner.name`,
  );
  const keyOf = ({ resourceType, resourceId }: Resource) => `${resourceType} ${resourceId}`;
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return items.map((item) => {
    const { ownerName = null, through = [] } = byKey.get(keyOf(item)) ?? {};
    return { ...item, ownerName, through };
  });
}
