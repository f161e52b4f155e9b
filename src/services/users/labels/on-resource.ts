import sql from "sql-template-tag";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { LabelOfResource } from "../contract-labels.ts";
import { type NewFeature, isAtLeast, type Resource } from "../contract-sharing.ts";
import { decideAccess } from "../sharing/decide-access.ts";
import {
  findFeature,
  registerFeature,
  resourceNotFound,
  tenantOf,
} from "../sharing/features-store.ts";
import { refuseSharedOutside } from "./judge-shares.ts";
import { lockLabels } from "./lock-labels.ts";
import { findLabels, LABEL, type LabelRow, toLabel } from "./store.ts";

/** Who asks, and whether they administer labels. */
export interface Asker {
  user: User;
  administers: boolean;
}

interface OnResource {
  featureId: string;
  clientId: string;
  mayChange: boolean;
}

/** The labels in effect on a resource, for whoever may see it. @throws NotFound. */
export async function labelsOn(db: Database, asker: Asker, resource: Resource) {
  const found = await find(db, asker, resource);
  const rows = await db.query<
    LabelRow & { featureId: string; carried: boolean }
  >(sql`select ${LABEL}, marked.feature_id as "featureId", marked.carried
    from users.features feature
      join users.feature_labels marked on marked.feature_id = any(feature.ancestors)
      join users.labels label on label.id = marked.label_id
    where feature.id = ${found.featureId} order by lower(label.name), label.id`);
  const labels = new Map<string, LabelOfResource>();
  for (const { featureId, carried, ...row } of rows) {
    const isOwn = featureId === found.featureId;
    if (labels.has(row.id) && !isOwn) continue;
    const from = isOwn ? (carried ? "carried" : "own") : "folder";
    const removable = isOwn && mayRemove(asker, found, { ...row, carried });
    labels.set(row.id, { ...toLabel(row), from, removable });
  }
  return { labels: [...labels.values()], mayChange: found.mayChange };
}

/**
 * Replaces the labels of a resource itself.
 * @throws Forbidden `role_insufficient`, `label_removal_refused`; NotFound `label_not_found`;
 * Conflict `label_shared_outside`.
 */
export async function setLabels(
  db: Database,
  asker: Asker,
  resource: Resource,
  labelIds: readonly string[],
) {
  await db.tx(async () => {
    const found = await find(db, asker, resource);
    if (!found.mayChange) throw notYours();
    const { featureId, clientId } = found;
    await lockLabels(db, clientId);
    const before = await db.query<LabelRow & { carried: boolean }>(sql`select ${LABEL},
      marked.carried from users.feature_labels marked
        join users.labels label on label.id = marked.label_id
      where marked.feature_id = ${featureId} for update of marked`);
    const removed = before.filter(({ id }) => !labelIds.includes(id));
    const kept = removed.find((label) => !mayRemove(asker, found, label));
    if (kept) throw removalRefused(kept.name);
    const added = (await findLabels(db, clientId, labelIds)).filter(
      ({ id }) => !before.some((one) => one.id === id),
    );
    await refuseSharedOutside(db, featureId, added);
    await db.query(sql`delete from users.feature_labels
      where feature_id = ${featureId} and label_id = any(${removed.map(({ id }) => id)}::uuid[])`);
    await insert(
      db,
      featureId,
      added.map(({ id }) => id),
      false,
    );
    const named = (labels: readonly { id: string; name: string }[]) =>
      labels.map(({ id, name }) => ({ id, name }));
    await recordEvent(db, asker.user.userId, {
      action: "label.set",
      ...resource,
      details: { added: named(added), removed: named(removed) },
    });
  });
  return labelsOn(db, asker, resource);
}

/** Puts labels on what a run has made. @throws Conflict `label_shared_outside`. */
export async function carryLabels(
  db: Database,
  resource: z.output<typeof NewFeature>,
  labelIds: readonly string[],
): Promise<void> {
  await db.tx(async () => {
    const known = await findFeature(db, resource);
    const { featureId } = known ?? (await registerFeature(db, resource));
    await lockLabels(db, known?.clientId ?? (await tenantOf(db, resource.ownerId)));
    const labels = await db.query<LabelRow>(sql`select ${LABEL} from users.labels label
      where id = any(${[...labelIds]}::uuid[])`);
    await refuseSharedOutside(db, featureId, labels);
    await insert(
      db,
      featureId,
      labels.map(({ id }) => id),
      true,
    );
  });
}

async function insert(
  db: Database,
  featureId: string,
  labelIds: readonly string[],
  carried: boolean,
): Promise<void> {
  await db.query(sql`insert into users.feature_labels (feature_id, label_id, carried)
    select ${featureId}, label, ${carried} from unnest(${[...labelIds]}::uuid[]) label
    on conflict do nothing`);
}

async function find(
  db: Database,
  { user, administers }: Asker,
  resource: Resource,
): Promise<OnResource> {
  const [role = null] = await decideAccess(db, user.userId, [resource]);
  const feature = await findFeature(db, resource);
  const isOfTenant = feature?.clientId === user.clientId;
  const maySee = role !== null || (administers && isOfTenant);
  if (!feature || !maySee) throw resourceNotFound();
  const mayChange = isAtLeast(role, "owner") || (administers && isOfTenant);
  return { featureId: feature.featureId, clientId: feature.clientId, mayChange };
}

function mayRemove(
  { administers }: Asker,
  { mayChange }: OnResource,
  { removal, carried }: Pick<LabelRow, "removal"> & { carried: boolean },
): boolean {
  if (!mayChange) return false;
  return administers || (removal === "owners" && !carried);
}

function notYours(): Forbidden {
  return new Forbidden(
    "label_not_yours",
    "Only owners of a resource, and administrators, put labels on it. Ask one of them.",
  );
}

function removalRefused(label: string): Forbidden {
  return new Forbidden(
    "label_removal_refused",
    `The rule of the label “${label}” lets only administrators take it off here. Ask one.`,
    { params: { label } },
  );
}
