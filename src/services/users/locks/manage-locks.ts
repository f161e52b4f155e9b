import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";
import { recordEvent } from "../audit/record-event.ts";
import { lockedBy } from "../contract-locked.ts";
import type { HeldLock, Lock, NamedLock } from "../contract-locks.ts";
import type { Resource } from "../contract-sharing.ts";
import { decideAccess } from "../sharing/decide-access.ts";
import {
  findFeature,
  findFeatureById,
  requireRole,
  resourceNotFound,
} from "../sharing/features-store.ts";

interface LockRow extends Omit<Lock, "acquiredAt" | "expiresAt" | "token"> {
  token: string;
  acquiredAt: Date;
  expiresAt: Date;
}

const COLUMNS = sql`feature_id as "featureId", user_id as "userId", token,
  acquired_at as "acquiredAt", expires_at as "expiresAt"`;
// not `now()`: that is the start of the transaction, which may have waited long for the row
const IS_HELD = sql`expires_at > clock_timestamp()`;

/**
 * Acquires the lock of a resource for a user who may edit it, or renews the user's own lock. The
 * database's clock counts. An expired lock is no lock, even while its row still exists.
 * @throws ApiError 423 `locked` with the holder; and what `requireRole` throws.
 */
export async function acquireLock(
  db: Database,
  userId: string,
  resource: Resource,
  ttlMs: number,
) {
  const { featureId } = await requireRole(db, userId, resource, "editor");
  // most refusals need no transaction
  const held = await findLock(db, featureId);
  if (held && held.userId !== userId) throw lockedBy(held);
  return db.tx(async () => {
    // the row of the resource serialises everyone who wants its lock
    await db.query(sql`select from users.features where id = ${featureId} for update`);
    const current = await findLock(db, featureId);
    if (current && current.userId !== userId) throw lockedBy(current);
    return {
      lock: await writeLock(db, featureId, userId, ttlMs, current !== undefined),
      renewed: current !== undefined,
    };
  });
}

async function writeLock(
  db: Database,
  featureId: string,
  userId: string,
  ttlMs: number,
  isRenewal: boolean,
): Promise<Lock> {
  const expiresAt = sql`clock_timestamp() + ${ttlMs} * interval '1 millisecond'`;
  const [row] = await db.query<LockRow>(
    isRenewal
      ? sql`update users.locks set expires_at = ${expiresAt} where feature_id = ${featureId}
        returning ${COLUMNS}`
      : sql`
        with next as (update users.features set lock_token = lock_token + 1 where id = ${featureId}
          returning lock_token as token)
        insert into users.locks (feature_id, user_id, token, acquired_at, expires_at)
          select ${featureId}, ${userId}, next.token, clock_timestamp(), ${expiresAt} from next
        on conflict (feature_id) do update
        set user_id = excluded.user_id, token = excluded.token, acquired_at = excluded.acquired_at,
          expires_at = excluded.expires_at
        returning ${COLUMNS}`,
  );
  // the resource was deleted in the meantime
  if (!row) throw resourceNotFound();
  return toLock(row);
}

/** @throws Forbidden `lock_not_yours`, NotFound `not_locked`, `resource_not_found`. */
export async function releaseLock(
  db: Database,
  userId: string,
  resource: Resource,
): Promise<void> {
  const feature = await findFeature(db, resource);
  if (!feature) throw resourceNotFound();
  // the holder may release the lock even without access to the resource
  const released = await db.query(sql`delete from users.locks
    where feature_id = ${feature.featureId} and user_id = ${userId} and ${IS_HELD}
    returning feature_id`);
  if (released.length > 0) return;
  const [role = null] = await decideAccess(db, userId, [resource]);
  if (role === null) throw resourceNotFound();
  if (await findLock(db, feature.featureId))
    throw new Forbidden(
      "lock_not_yours",
      "Another user holds this lock. Wait until it expires, or ask an administrator to release it.",
    );
  throw notLocked();
}

export async function getLock(
  db: Database,
  userId: string,
  resource: Resource,
): Promise<Lock> {
  const { featureId } = await requireRole(db, userId, resource, "viewer");
  const lock = await findLock(db, featureId);
  if (!lock) throw notLocked();
  const { userName: _, ...rest } = lock;
  return rest;
}

/** Releases any user's lock in the administrator's tenant. @throws NotFound `not_locked`. */
export async function forceRelease(
  db: Database,
  administrator: Pick<User, "userId" | "clientId">,
  featureId: string,
): Promise<void> {
  await db.tx(async () => {
    const feature = await findFeatureById(db, featureId);
    if (feature?.clientId !== administrator.clientId) throw notLocked();
    const [row] = await db.query<LockRow>(
      sql`delete from users.locks where feature_id = ${featureId} and ${IS_HELD}
        returning ${COLUMNS}`,
    );
    if (!row) throw notLocked();
    const { resourceType, resourceId } = feature;
    await recordEvent(db, administrator.userId, {
      action: "lock.forced",
      resourceType,
      resourceId,
      details: { holder: row.userId },
    });
  });
}

/**
 * Whether a user may write; services ask this before they write. A token of an older lock is
 * refused, because another user has edited since. A token of the newest lock is accepted even
 * after the lock expired, as long as nobody acquired another.
 */
export async function checkLock(
  db: Database,
  userId: string,
  resource: Resource,
  token: number | undefined,
) {
  const feature = await findFeature(db, resource);
  const lock = feature && (await findLock(db, feature.featureId));
  const [newest] = await db.query<{ token: string }>(
    sql`select lock_token as token from users.features where id = ${feature?.featureId ?? null}`,
  );
  const isOutdated = token !== undefined && token !== Number(newest?.token ?? 0);
  return { mayWrite: !isOutdated && (!lock || lock.userId === userId), lock: lock ?? null };
}

interface HeldRow extends Omit<HeldLock, "acquiredAt" | "expiresAt" | "token"> {
  token: string;
  acquiredAt: Date;
  expiresAt: Date;
}

/** The locks that are held in a tenant, the newest first. The index `locks_by_expiry` serves it. */
export async function listLocks(db: Database, clientId: string, query: PageQuery) {
  const held = sql`users.locks lock
    join users.features feature on feature.id = lock.feature_id
    where lock.expires_at > now() and feature.client_id = ${clientId}`;
  const rows = await db.query<HeldRow>(sql`
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

function toHeldLock(row: HeldRow): HeldLock {
  return {
    ...row,
    token: Number(row.token),
    acquiredAt: row.acquiredAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

async function findLock(db: Database, featureId: string): Promise<NamedLock | undefined> {
  const [row] = await db.query<LockRow & Pick<NamedLock, "userName">>(
    sql`select ${COLUMNS}, (select name from users.known_users holder
      where holder.id = user_id and holder.state <> 'deleted') as "userName"
      from users.locks where feature_id = ${featureId} and ${IS_HELD}`,
  );
  return row && { ...toLock(row), userName: row.userName };
}

function notLocked(): NotFound {
  return new NotFound(
    "not_locked",
    "Nobody holds this lock. Acquire it before you change the resource.",
  );
}

function toLock(row: LockRow): Lock {
  return {
    ...row,
    token: Number(row.token),
    acquiredAt: row.acquiredAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
