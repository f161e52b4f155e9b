import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { Conflict, Forbidden } from "../../../platform/http/errors.ts";
import { type CarriedLabel, judgeByLabels } from "../contract-judge-labels.ts";
import { groupsAbove, groupsOfUser, labelsAround } from "./in-effect.ts";

export interface Recipient {
  subjectType: "user" | "group";
  subjectId: string;
}

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
  if (labels.every(({ sharing }) => sharing === null)) return;
  const around = sql`(select id from users.features where ancestors @> array[${featureId}::uuid]
    union select unnest(ancestors) from users.features where id = ${featureId})`;
  const shares = await db.query<Recipient>(sql`
    select distinct subject_type as "subjectType", subject_id as "subjectId" from users.shares
    where revoked_at is null and feature_id in ${around}`);
  const links = await db.query<OpenLink>(sql`
    select allowed_users as "allowedUsers" from users.links
    where enabled and (expires_at is null or expires_at > now()) and feature_id in ${around}`);
  const outside = await findOutsider(db, labels, shares, links);
  if (outside)
    throw new Conflict(
      "label_shared_outside",
      `The label “${outside.label.name}” does not let this be shared ${outside.words}, as it is ` +
        "now. Revoke that first, or go on in a conversation of your own.",
      { params: { label: outside.label.name } },
    );
}

/** Ends shares and links of a resource, and of what is below it, that its labels do not permit. */
export async function endSharesOutside(db: Database, featureId: string): Promise<void> {
  const labels = await labelsAround(db, featureId);
  if (labels.every(({ sharing }) => sharing === null)) return;
  const below = sql`(select id from users.features where ancestors @> array[${featureId}::uuid])`;
  const shares = await db.query<Recipient & { id: string }>(sql`
    select id, subject_type as "subjectType", subject_id as "subjectId" from users.shares
    where revoked_at is null and feature_id in ${below}`);
  for (const { id, ...share } of shares)
    if (await findOutsider(db, labels, [share], []))
      await db.query(sql`update users.shares set revoked_at = now() where id = ${id}`);
  const links = await db.query<OpenLink & { id: string }>(sql`
    select feature_id as id, allowed_users as "allowedUsers" from users.links
    where enabled and feature_id in ${below}`);
  for (const { id, ...link } of links)
    if (await findOutsider(db, labels, [], [link]))
      await db.query(sql`update users.links set enabled = false where feature_id = ${id}`);
}

async function findOutsider(
  db: Database,
  labels: readonly CarriedLabel[],
  shares: readonly Recipient[],
  links: readonly OpenLink[],
): Promise<{ label: CarriedLabel; words: string } | undefined> {
  if (labels.every(({ sharing }) => sharing === null)) return undefined;
  const users = (ids: readonly string[]): Recipient[] =>
    ids.map((subjectId) => ({ subjectType: "user", subjectId }));
  const named = [
    ...shares,
    ...links.flatMap(({ allowedUsers }) => users(allowedUsers ?? [])),
  ];
  for (const { subjectType, subjectId } of named) {
    const groups =
      subjectType === "group"
        ? await groupsAbove(db, subjectId)
        : await groupsOfUser(db, subjectId);
    const { label } = judgeByLabels(labels, { kind: "share", groups });
    if (label) return { label, words: `with the ${subjectType} ${subjectId}` };
  }
  if (!links.some(({ allowedUsers }) => allowedUsers === null)) return undefined;
  const { label } = judgeByLabels(labels, { kind: "share", groups: [] });
  return label && { label, words: "by a link" };
}
