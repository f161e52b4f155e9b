import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { Conflict, Forbidden } from "../../../platform/http/errors.ts";
import { type CarriedLabel, judgeByLabels } from "../contract-judge-labels.ts";
import { type GroupsOf, groupsOfAll, labelsAround, type Recipient } from "./in-effect.ts";

/** Whether a link opens its resource, as in `users.grants`. The table is named `link`. */
export const opens = sql`link.enabled and (link.expires_at is null or link.expires_at > now())`;

/** Whoever has a link to it, or these users alone. */
export interface OpenLink {
  allowedUsers: readonly string[] | null;
}

/**
 * Refuses recipients to whom labels on, above or below a resource do not let it go.
 * @throws Forbidden `label_forbids_sharing`.
 */
export async function refuseOutsiders(
  db: Database,
  featureId: string,
  { shares = [], link }: { shares?: readonly Recipient[]; link?: OpenLink | undefined },
): Promise<void> {
  const labels = await labelsAround(db, featureId);
  const outside = await findOutsider(db, labels, shares, link ? [link] : []);
  if (outside)
    throw new Forbidden(
      "label_forbids_sharing",
      `The label “${outside.label.name}” does not let this be shared ${outside.words}. ` +
        "Choose one of the groups of its rule, or ask an administrator.",
      { params: { label: outside.label.name } },
    );
}

/**
 * Refuses labels that do not let a resource be shared as it is, by itself, above or below.
 * @throws Conflict `label_shared_outside`.
 */
export async function refuseSharedOutside(
  db: Database,
  featureId: string,
  labels: readonly CarriedLabel[],
): Promise<void> {
  await refuseSharedBeyond(
    db,
    labels,
    sql`(select id from users.features where ancestors @> array[${featureId}::uuid]
      union select unnest(ancestors) from users.features where id = ${featureId})`,
  );
}

/**
 * Refuses labels that do not permit the shares and links of these resources.
 * @throws Conflict `label_shared_outside`.
 */
export async function refuseSharedBeyond(
  db: Database,
  labels: readonly CarriedLabel[],
  around: Sql,
  others: readonly Recipient[] = [],
): Promise<void> {
  if (labels.every(({ sharing }) => sharing === null)) return;
  const shares = await db.query<Recipient>(sql`
    select distinct subject_type as "subjectType", subject_id as "subjectId" from users.shares
    where revoked_at is null and feature_id in ${around}`);
  const links = await db.query<OpenLink>(sql`
    select allowed_users as "allowedUsers" from users.links link
    where ${opens} and feature_id in ${around}`);
  const outside = await findOutsider(db, labels, [...shares, ...others], links);
  if (outside)
    throw new Conflict(
      "label_shared_outside",
      // without names: who reads this may not be one who may see with whom it is shared
      `The label “${outside.label.name}” does not let this be shared as it is now. Revoke that ` +
        "first, choose another folder, or go on in a conversation of your own.",
      { params: { label: outside.label.name } },
    );
}

/** Those that shares and links name. */
export function namedIn(
  shares: readonly Recipient[],
  links: readonly OpenLink[],
): Recipient[] {
  const users = links.flatMap(({ allowedUsers }) => allowedUsers ?? []);
  return [
    ...shares,
    ...users.map((subjectId) => ({ subjectType: "user" as const, subjectId })),
  ];
}

/** The first label, if any, that does not let these have it. `known`: the groups of each. */
export async function findOutsider(
  db: Database,
  labels: readonly CarriedLabel[],
  shares: readonly Recipient[],
  links: readonly OpenLink[],
  known?: GroupsOf,
): Promise<{ label: CarriedLabel; words: string } | undefined> {
  if (labels.every(({ sharing }) => sharing === null)) return undefined;
  const named = namedIn(shares, links);
  const groupsOf = known ?? (await groupsOfAll(db, named));
  for (const recipient of named) {
    const { subjectType, subjectId } = recipient;
    const groups = groupsOf(recipient);
    const { label } = judgeByLabels(labels, { kind: "share", groups });
    if (label) return { label, words: `with the ${subjectType} ${subjectId}` };
  }
  if (!links.some(({ allowedUsers }) => allowedUsers === null)) return undefined;
  const { label } = judgeByLabels(labels, { kind: "share", groups: [] });
  return label && { label, words: "by a link" };
}
