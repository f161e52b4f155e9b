import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { currentContext } from "../../../platform/http/context.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { AuditAction } from "../contract-audit.ts";
import type { CarriedLabel } from "../contract-judge-labels.ts";
import type { Link, Resource, Share } from "../contract-sharing.ts";
import { groupsOfAll, labelsAdded, labelsWithin, type Recipient } from "./in-effect.ts";
import { findOutsider, namedIn, opens, refuseSharedBeyond } from "./judge-shares.ts";

interface Moved {
  featureId: string;
  ownerId: string;
  clientId: string;
  /** The folders above it now that were not above it before. */
  entered: readonly string[];
}

/**
 * Judges a move that is about to be stored: what moves is inherited by whoever has the folders
 * that it enters, and the labels of these apply to what is shared below.
 * @throws Conflict `label_shared_outside` where labels that move do not permit who has the folders.
 */
export async function judgeMove(db: Database, moved: Moved): Promise<void> {
  const { featureId, ownerId, entered } = moved;
  if (entered.length === 0) return;
  const moving = await labelsWithin(db, featureId);
  if (moving.some(({ sharing }) => sharing !== null)) {
    const owners = await db.query<Recipient>(sql`
      select distinct 'user' as "subjectType", owner_id as "subjectId" from users.features
      where id = any(${[...entered]}::uuid[]) and owner_id <> ${ownerId}`);
    const folders = sql`(select unnest(${[...entered]}::uuid[]))`;
    await refuseSharedBeyond(db, moving, folders, owners);
  }
  const added = await labelsAdded(db, featureId, entered);
  if (added.some(({ sharing }) => sharing !== null)) await endShares(db, moved, added);
}

type FoundShare = Resource & Pick<Share, "id" | "subjectType" | "subjectId" | "accessRole">;
type FoundLink = Resource & { featureId: string; expiresAt: Date | null } & Omit<
    Link,
    "expiresAt"
  >;

/** Ends those shares and links of a resource, and of what is below it, that labels forbid. */
async function endShares(
  db: Database,
  moved: Moved,
  labels: readonly CarriedLabel[],
): Promise<void> {
  const below = sql`feature.ancestors @> array[${moved.featureId}::uuid]`;
  const resource = sql`feature.type as "resourceType", feature.resource_id as "resourceId"`;
  const shares = await db.query<FoundShare>(sql`
    select share.id, share.subject_type as "subjectType", share.subject_id as "subjectId",
      share.access_role as "accessRole", ${resource}
    from users.shares share join users.features feature on feature.id = share.feature_id
    where share.revoked_at is null and ${below} order by share.id for update of share`);
  // one that has expired is judged when it is renewed
  const links = await db.query<FoundLink>(sql`
    select link.feature_id as "featureId", link.enabled, link.access_level as "accessLevel",
      link.expires_at as "expiresAt", link.allowed_users as "allowedUsers", ${resource}
    from users.links link join users.features feature on feature.id = link.feature_id
    where ${opens} and ${below} order by link.feature_id for update of link`);
  const groupsOf = await groupsOfAll(db, namedIn(shares, links));
  for (const { id, resourceType, resourceId, ...share } of shares) {
    const outside = await findOutsider(db, labels, [share], [], groupsOf);
    if (!outside) continue;
    await db.query(sql`update users.shares set revoked_at = now() where id = ${id}`);
    const details = { ...share, label: outside.label.name };
    await record(db, moved, "share.revoked", { resourceType, resourceId }, details);
  }
  for (const { featureId, resourceType, resourceId, ...link } of links) {
    const outside = await findOutsider(db, labels, [], [link], groupsOf);
    if (!outside) continue;
    await db.query(sql`update users.links set enabled = false, updated_at = now()
      where feature_id = ${featureId}`);
    const details = {
      ...link,
      expiresAt: link.expiresAt?.toISOString() ?? null,
      enabled: false,
      label: outside.label.name,
    };
    await record(db, moved, "link.changed", { resourceType, resourceId }, details);
  }
}

/** As an act of whoever moves it. */
async function record(
  db: Database,
  { ownerId, clientId }: Moved,
  action: AuditAction,
  resource: Resource,
  details: Record<string, unknown>,
): Promise<void> {
  const actor = currentContext()?.userId ?? ownerId;
  await recordEvent(db, actor, { action, ...resource, clientId, details });
}
