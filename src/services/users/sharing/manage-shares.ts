import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { BadRequest, Forbidden, NotFound } from "../../../platform/http/errors.ts";
import type { NewShare, Resource, Share } from "../contract-sharing.ts";
import { recordEvent } from "../audit/record-event.ts";
import { refuseOutsiders } from "../labels/judge-shares.ts";
import { lockLabels } from "../labels/lock-labels.ts";
import { uuidOrNull } from "../user-id.ts";
import { findFeatureById, requireRole, resourceNotFound } from "./features-store.ts";

interface ShareRow extends Omit<Share, "createdAt"> {
  createdAt: Date;
}

const COLUMNS = sql`id, feature_id as "featureId", subject_type as "subjectType",
  subject_id as "subjectId", access_role as "accessRole",
  granted_by_user_id as "grantedByUserId", created_at as "createdAt"`;

interface Deps {
  db: Database;
  /** The limit for one resource. */
  maxShares: number;
}

/** Shares a resource that the user owns. @throws what `requireRole` and `createShares` throw. */
export async function share(
  deps: Deps,
  userId: string,
  resource: Resource,
  shares: NewShare[],
) {
  const { featureId } = await requireRole(deps.db, userId, resource, "owner");
  return createShares(deps, userId, featureId, shares);
}

/**
 * Creates shares. Each subject has one active share: sharing again changes its role.
 * @throws NotFound `resource_not_found`; BadRequest `subject_not_found` for a user or group outside
 * the organisation; Conflict `too_many_shares`; Forbidden `label_forbids_sharing`.
 */
export async function createShares(
  { db, maxShares }: Deps,
  userId: string,
  featureId: string,
  shares: NewShare[],
) {
  const distinct = [
    ...new Map(shares.map((one) => [`${one.subjectType}:${one.subjectId}`, one])).values(),
  ];
  const limit = {
    key: `shares of ${featureId}`,
    max: maxShares,
    count: () => countOtherShares(db, featureId, distinct),
    added: distinct.length,
    code: "too_many_shares",
    message: `A resource may have ${maxShares} shares. Share with a group, or revoke some first.`,
  };
  return insertWithinLimit(db, limit, async () => {
    const feature = await findFeatureById(db, featureId);
    if (!feature) throw resourceNotFound();
    await refuseUnknownSubjects(db, featureId, distinct);
    await lockLabels(db, feature.clientId);
    await refuseOutsiders(db, featureId, { shares: distinct });
    const rows = await db.query<ShareRow>(sql`
      insert into users.shares (id, feature_id, subject_type, subject_id, access_role,
        granted_by_user_id)
      select new.id, ${featureId}, new.subject_type, new.subject_id, new.access_role, ${userId}
      from unnest(${distinct.map(() => uuidv7())}::uuid[],
      ${distinct.map(({ subjectType }) => subjectType)}::text[],
        ${distinct.map(({ subjectId }) => subjectId)}::text[],
        ${distinct.map(({ accessRole }) => accessRole)}::text[])
        as new (id, subject_type, subject_id, access_role)
      on conflict (feature_id, subject) where revoked_at is null
      do update set access_role = excluded.access_role,
      granted_by_user_id = excluded.granted_by_user_id
      returning ${COLUMNS}`);
    const { resourceType, resourceId } = feature;
    await recordEvent(db, userId, {
      action: "share.created",
      resourceType,
      resourceId,
      details: { shares: distinct },
    });
    return { featureId, shares: rows.map(toShare) };
  });
}

/** Counts the active shares with other subjects than these. */
async function countOtherShares(
  db: Database,
  featureId: string,
  shares: NewShare[],
): Promise<number> {
  const subjects = shares.map(
    ({ subjectType, subjectId }) => `${subjectType}:${subjectId}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.shares
      where feature_id = ${featureId} and revoked_at is null and subject <> all(${subjects})`,
  );
  return count?.total ?? 0;
}

/** Refuses unknown subjects. Users of another issuer are known from their first token on. */
async function refuseUnknownSubjects(
  db: Database,
  featureId: string,
  shares: NewShare[],
): Promise<void> {
  const idsOf = (type: NewShare["subjectType"]) =>
    shares
      .filter(({ subjectType }) => subjectType === type)
      .map(({ subjectId }) => subjectId);
  const known = await db.query<{ id: string }>(sql`
    with tenant as (select client_id as id from users.features where id = ${featureId})
    select id from users.known_users
      where id = any(${[...idsOf("user"), ...idsOf("user").map((id) => id.toLowerCase())]})
      and client_id = (select id from tenant) and state <> 'deleted'
    union all
    select id::text from users.groups where id = any(${idsOf("group").map(uuidOrNull)}::uuid[])
      and client_id = (select id from tenant)`);
  const ids = new Set(known.map(({ id }) => id));
  const unknown = shares.find(
    ({ subjectId }) => !ids.has(subjectId) && !ids.has(subjectId.toLowerCase()),
  );
  if (unknown)
    throw new BadRequest(
      "subject_not_found",
      `There is no ${unknown.subjectType} ${unknown.subjectId} in this organisation. ` +
        "GET /api/v1/sharing/subjects finds users and groups.",
      {
        details: [
          {
            path: "body.shares",
            message: `unknown ${unknown.subjectType}: ${unknown.subjectId}`,
          },
        ],
      },
    );
}

interface Named extends ShareRow {
  name: string;
  grantedByName: string | null;
}

export async function listShares(
  db: Database,
  userId: string,
  resource: Resource,
  limit: number,
  offset: number,
) {
  const { featureId } = await requireRole(db, userId, resource, "owner");
  const rows = await db.query<Named>(sql`select ${COLUMNS},
      coalesce(case subject_type
        when 'group' then (select name from users.groups where id::text = subject_id)
        else (select name from users.known_users where id = subject_id) end, '') as name,
      (select name from users.known_users where id = granted_by_user_id) as "grantedByName"
    from users.shares where feature_id = ${featureId} and revoked_at is null order by subject
    limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.shares
      where feature_id = ${featureId} and revoked_at is null`,
  );
  const items = rows.map(({ name, grantedByName, ...row }) => ({
    ...toShare(row),
    name,
    grantedByName,
  }));
  return { items, total: count?.total ?? 0 };
}

/**
 * Revokes a share, for an owner of the resource or for the user who received it.
 * @throws NotFound `share_not_found`.
 */
export async function deleteShare(
  db: Database,
  userId: string,
  shareId: string,
): Promise<void> {
  await db.tx(async () => {
    const [row] = await db.query<
      ShareRow & Resource
    >(sql`select share.id, subject_type as "subjectType", subject_id as "subjectId",
      access_role as "accessRole", type as "resourceType", resource_id as "resourceId"
      from users.shares share join users.features feature on feature.id = share.feature_id
      where share.id = ${shareId} and revoked_at is null for update of share`);
    if (!row) throw shareNotFound();
    const { subjectType, subjectId, accessRole, resourceType, resourceId } = row;
    const isRecipient = subjectType === "user" && subjectId === userId;
    if (!isRecipient)
      await requireRole(db, userId, { resourceType, resourceId }, "owner").catch(
        (error: unknown) => {
          // what cannot be looked up now is not absent
          throw error instanceof NotFound || error instanceof Forbidden
            ? shareNotFound()
            : error;
        },
      );
    await db.query(sql`update users.shares set revoked_at = now() where id = ${shareId}`);
    const details = { subjectType, subjectId, accessRole };
    await recordEvent(db, userId, {
      action: "share.revoked",
      resourceType,
      resourceId,
      details,
    });
  });
}

/**
 * Users and groups of the user's organization whose name or email address begins with the query, in
 * any case and with or without diacritics.
 */
export async function listSubjects(
  db: Database,
  clientId: string,
  query: string,
  limit: number,
  offset: number,
) {
  const prefix = sql`users.fold_text(${query.replaceAll("\0", "")})`;
  const found = sql`
    select 'user' as "subjectType", id as "subjectId", name from users.known_users
      where client_id = ${clientId} and state = 'active'
        and (users.fold_text(name) ^@ ${prefix} or users.fold_text(email) ^@ ${prefix})
    union all
    select 'group', id::text, name from users.groups
      where client_id = ${clientId} and users.fold_text(name) ^@ ${prefix}`;
  const items = await db.query<{
    subjectType: "user" | "group";
    subjectId: string;
    name: string;
  }>(sql`${found} order by name, 2 limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from (${found}) found`,
  );
  return { items, total: count?.total ?? 0 };
}

function shareNotFound(): NotFound {
  return new NotFound(
    "share_not_found",
    "This share does not exist, or is not yours. Read the shares of the resource.",
  );
}

function toShare(row: ShareRow): Share {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
