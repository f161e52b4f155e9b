import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";

interface ResourceRef {
  resourceType: string;
  resourceId: string;
}

export async function listTags(
  db: Database,
  userId: string,
  resourceType: string | undefined,
  limit: number,
  offset: number,
) {
  const condition = sql`user_id = ${userId}
    and (${resourceType ?? null}::text is null or resource_type = ${resourceType ?? null})`;
  const items = await db.query<{ tag: string; count: number }>(
    sql`select tag, count(*)::int as count from users.tags where ${condition} group by tag
      order by tag limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(distinct tag)::int as total from users.tags where ${condition}`,
  );
  return { items, total: count?.total ?? 0 };
}

export async function listTagged(
  db: Database,
  userId: string,
  tag: string,
  resourceType: string | undefined,
  limit: number,
  offset: number,
) {
  const condition = sql`user_id = ${userId} and tag = ${tag}
    and (${resourceType ?? null}::text is null or resource_type = ${resourceType ?? null})`;
  const items = await db.query<ResourceRef>(sql`select resource_type as "resourceType",
      resource_id as "resourceId" from users.tags
    where ${condition} order by resource_type, resource_id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.tags where ${condition}`,
  );
  return { items, total: count?.total ?? 0 };
}

export async function getTags(
  db: Database,
  userId: string,
  { resourceType, resourceId }: ResourceRef,
): Promise<{ tags: string[] }> {
  const rows = await db.query<{ tag: string }>(sql`select tag from users.tags
    where user_id = ${userId} and resource_type = ${resourceType} and resource_id = ${resourceId}
    order by tag`);
  return { tags: rows.map(({ tag }) => tag) };
}

/** Gives a resource these tags and no others. @throws Conflict `too_many_tags`. */
export async function setTags(
  { db, maxMarks }: { db: Database; maxMarks: number },
  userId: string,
  resource: ResourceRef,
  tags: string[],
): Promise<{ tags: string[] }> {
  const { resourceType, resourceId } = resource;
  const isOther = sql`(resource_type, resource_id) <> (${resourceType}, ${resourceId})`;
  const limit = {
    key: `tags of ${userId}`,
    max: maxMarks,
    async count() {
      const [count] = await db.query<{ total: number }>(
        sql`select count(*)::int as total from users.tags where user_id = ${userId} and ${isOther}`,
      );
      return count?.total ?? 0;
    },
    added: new Set(tags).size,
    code: "too_many_tags",
    message: `You may have ${maxMarks} tags on resources. Remove some first.`,
  };
  return insertWithinLimit(db, limit, async () => {
    await db.query(sql`delete from users.tags
      where user_id = ${userId} and resource_type = ${resourceType}
      and resource_id = ${resourceId} and tag <> all(${tags})`);
    await db.query(sql`insert into users.tags (user_id, resource_type, resource_id, tag)
      select ${userId}, ${resourceType}, ${resourceId}, tag from unnest(${tags}::text[]) tag
        on conflict do nothing`);
    return getTags(db, userId, resource);
  });
}
