import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { NotFound } from "../../../platform/http/errors.ts";

export type MarkKind = "pin" | "favorite";
interface ResourceRef {
  resourceType: string;
  resourceId: string;
}

export async function listMarks(
  db: Database,
  userId: string,
  kind: MarkKind,
  resourceType: string | undefined,
  limit: number,
  offset: number,
) {
  const condition = sql`user_id = ${userId} and kind = ${kind}
    and (${resourceType ?? null}::text is null or resource_type = ${resourceType ?? null})`;
  const rows = await db.query<ResourceRef & { createdAt: Date }>(sql`
    select resource_type as "resourceType", resource_id as "resourceId", created_at as "createdAt"
      from users.marks
    where ${condition} order by created_at desc, resource_id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.marks where ${condition}`,
  );
  return {
    items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    total: count?.total ?? 0,
  };
}

export async function addMark(
  { db, maxMarks }: { db: Database; maxMarks: number },
  userId: string,
  kind: MarkKind,
  { resourceType, resourceId }: ResourceRef,
): Promise<void> {
  const isOther = sql`(resource_type, resource_id) <> (${resourceType}, ${resourceId})`;
  const limit = {
    key: `${kind} marks of ${userId}`,
    max: maxMarks,
    async count() {
      const [count] = await db.query<{ total: number }>(
        sql`select count(*)::int as total from users.marks
          where user_id = ${userId} and kind = ${kind} and ${isOther}`,
      );
      return count?.total ?? 0;
    },
    code: "too_many_marks",
    message: `You have ${maxMarks} ${kind}s, which is the limit. Remove some first.`,
  };
  await insertWithinLimit(db, limit, () =>
    db.query(sql`insert into users.marks (user_id, kind, resource_type, resource_id)
      values (${userId}, ${kind}, ${resourceType}, ${resourceId}) on conflict do nothing`),
  );
}

export async function removeMark(
  db: Database,
  userId: string,
  kind: MarkKind,
  { resourceType, resourceId }: ResourceRef,
): Promise<void> {
  const removed =
    await db.query(sql`delete from users.marks where user_id = ${userId} and kind = ${kind}
    and resource_type = ${resourceType} and resource_id = ${resourceId} returning kind`);
  if (removed.length === 0)
    throw new NotFound(
      "mark_not_found",
      `This ${kind} does not exist. Read the list again.`,
    );
}
