import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";
import type { HeldLock } from "../contract-locks.ts";

interface Row extends Omit<HeldLock, "acquiredAt" | "expiresAt" | "token"> {
  token: string;
  acquiredAt: Date;
  expiresAt: Date;
}

/** The locks that are held in a tenant, the newest first. The index `locks_by_expiry` serves it. */
export async function listLocks(db: Database, clientId: string, query: PageQuery) {
  const held = sql`users.locks lock
    join users.features feature on feature.id = lock.feature_id
    where lock.expires_at > now() and feature.client_id = ${clientId}`;
  const rows = await db.query<Row>(sql`
    select page.*, owner.name as "ownerName", holder.name as "userName" from (
      select lock.feature_id as "featureId", lock.user_id as "userId", lock.token,
        lock.acquired_at as "acquiredAt", lock.expires_at as "expiresAt",
        feature.type as "resourceType", feature.resource_id as "resourceId",
        feature.owner_id as "ownerId"
      from ${held} order by lock.acquired_at desc, lock.feature_id
      limit ${query.limit} offset ${offsetOf(query)}) page
    left join users.known_users owner on owner.id = page."ownerId" and owner.state <> 'deleted'
    left join users.known_users holder on holder.id = page."userId" and holder.state <> 'deleted'
    order by page."acquiredAt" desc, page."featureId"`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from ${held}`,
  );
  const { page, limit } = query;
  return { items: rows.map(toHeldLock), page, limit, total: count?.total ?? 0 };
}

function toHeldLock(row: Row): HeldLock {
  return {
    ...row,
    token: Number(row.token),
    acquiredAt: row.acquiredAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
