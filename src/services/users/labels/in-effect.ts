import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { CarriedLabel } from "../contract-judge-labels.ts";
import type { Resource } from "../contract-sharing.ts";

const CARRIED = sql`label.id, label.name, label.color, label.providers,
  label.open_world as "openWorld", label.sharing`;

/** The labels in effect on any of the resources: their own, and those of folders above them. */
export async function labelsOf(
  db: Database,
  resources: readonly Resource[],
): Promise<CarriedLabel[]> {
  if (resources.length === 0) return [];
  const types = resources.map(({ resourceType }) => resourceType);
  const ids = resources.map(({ resourceId }) => resourceId);
  return readLabels(
    db,
    sql`id in (select marked.label_id
      from unnest(${types}::text[], ${ids}::text[]) as asked (type, resource_id)
      join users.features feature
        on feature.resource_id = asked.resource_id and feature.type = asked.type
      join users.feature_labels marked on marked.feature_id = any(feature.ancestors))`,
  );
}

export async function labelsById(
  db: Database,
  ids: readonly string[],
): Promise<CarriedLabel[]> {
  return ids.length === 0 ? [] : readLabels(db, sql`id = any(${[...ids]}::uuid[])`);
}

/** Those on a resource, above it, and below it: whoever receives it receives all of that. */
export async function labelsAround(
  db: Database,
  featureId: string,
): Promise<CarriedLabel[]> {
  return readLabels(
    db,
    sql`id in (select marked.label_id from users.feature_labels marked
      join users.features feature on feature.id = marked.feature_id
      where feature.ancestors @> array[${featureId}::uuid]
        or marked.feature_id = any((select ancestors from users.features
          where id = ${featureId})::uuid[]))`,
  );
}

/** Those on a resource itself or on anything below it, which all move with it. */
export async function labelsWithin(
  db: Database,
  featureId: string,
): Promise<CarriedLabel[]> {
  return readLabels(
    db,
    sql`id in (select marked.label_id from users.feature_labels marked
      join users.features feature on feature.id = marked.feature_id
      where feature.ancestors @> array[${featureId}::uuid])`,
  );
}

/** Those of folders that a resource does not have as its own. */
export async function labelsAdded(
  db: Database,
  featureId: string,
  folderIds: readonly string[],
): Promise<CarriedLabel[]> {
  return readLabels(
    db,
    sql`id in (select label_id from users.feature_labels
        where feature_id = any(${[...folderIds]}::uuid[]))
      and id not in (select label_id from users.feature_labels where feature_id = ${featureId})`,
  );
}

function readLabels(db: Database, condition: Sql): Promise<CarriedLabel[]> {
  return db.query<CarriedLabel>(
    sql`select ${CARRIED} from users.labels label where ${condition} order by lower(name), id`,
  );
}

/** Whether anything of any organisation carries a label. */
export async function isAnyInUse(db: Database): Promise<boolean> {
  const [row] = await db.query<{ inUse: boolean }>(
    sql`select exists (select from users.feature_labels) as "inUse"`,
  );
  return row?.inUse ?? false;
}

/**
 * Gives resources the labels of folders that they are about to leave, as their own: a move takes
 * nothing off. Call it before they leave.
 */
export async function keepLabels(db: Database, featureIds: string[]): Promise<void> {
  await db.query(sql`
    insert into users.feature_labels (feature_id, label_id)
    select feature.id, marked.label_id from users.features feature
      join users.feature_labels marked on marked.feature_id = any(feature.ancestors)
      where feature.id = any(${featureIds}::uuid[])
    on conflict do nothing`);
}

/** The groups of a user, those above them included. */
export async function groupsOfUser(db: Database, userId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select distinct group_id as id from users.effective_memberships
      where user_id = ${userId}`,
  );
  return rows.map(({ id }) => id);
}

/** Whoever something is shared with. */
export interface Recipient {
  subjectType: "user" | "group";
  subjectId: string;
}
export type GroupsOf = (recipient: Recipient) => readonly string[];

/** The groups of each recipient, those in which they are nested included, all asked for at once. */
export async function groupsOfAll(
  db: Database,
  recipients: readonly Recipient[],
): Promise<GroupsOf> {
  const idsOf = (type: Recipient["subjectType"]) => [
    ...new Set(
      recipients.flatMap(({ subjectType, subjectId }) =>
        subjectType === type ? [subjectId] : [],
      ),
    ),
  ];
  const [users, groups] = [idsOf("user"), idsOf("group")];
  if (users.length + groups.length === 0) return () => [];
  const rows = await db.query<Recipient & { groups: string[] }>(sql`
    select 'user' as "subjectType", user_id as "subjectId", array_agg(distinct group_id) as groups
      from users.effective_memberships where user_id = any(${users}::text[]) group by user_id
    union all
    select 'group', descendant_id::text, array_agg(ancestor_id)
      from users.group_closure where descendant_id::text = any(${groups}::text[])
      group by descendant_id`);
  const key = ({ subjectType, subjectId }: Recipient) => `${subjectType} ${subjectId}`;
  const found = new Map(rows.map((row) => [key(row), row.groups]));
  return (recipient) => found.get(key(recipient)) ?? [];
}
