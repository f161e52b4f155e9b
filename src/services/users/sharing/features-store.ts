import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import {
  BadRequest,
  Conflict,
  Forbidden,
  NotFound,
} from "../../../platform/http/errors.ts";
import {
  type AccessRole,
  type Feature,
  isAtLeast,
  type NewFeature,
  type Resource,
} from "../contract-sharing.ts";
import { keepLabels } from "../labels/in-effect.ts";
import { judgeMove } from "../labels/judge-move.ts";
import { lockLabels } from "../labels/lock-labels.ts";
import { decideAccess } from "./decide-access.ts";

const MAX_FOLDER_LEVELS = 64;
/** A few tens of milliseconds in the embedded database, which serves others only in between. */
export const FEATURES_PER_BATCH = 500;

interface FeatureRow extends Omit<Feature, "createdAt"> {
  createdAt: Date;
  clientId: string;
  parent: string | null;
  ancestors: string[];
}

const COLUMNS = sql`feature.id as "featureId", feature.type as "resourceType",
  feature.resource_id as "resourceId", feature.owner_id as "ownerId",
  feature.client_id as "clientId",
  feature.parent_id as parent, feature.ancestors, feature.created_at as "createdAt",
  (select folder.resource_id from users.features folder
  where folder.id = feature.parent_id) as "parentId"`;

/**
 * Registers a resource for the service that stores it. Registering it again changes its folder or
 * owner. What moves keeps the labels of the folders that it leaves, and loses the shares that those
 * of the new ones do not permit.
 * @throws NotFound `folder_not_registered`; Conflict `folder_cycle`, `label_shared_outside`;
 * BadRequest `folders_too_deep`.
 */
export async function registerFeature(
  db: Database,
  { resourceType, resourceId, ownerId, parentId }: z.output<typeof NewFeature>,
): Promise<Feature> {
  return db.tx(async () => {
    // only folders change the tree
    if (parentId || resourceType === "folder")
      await db.query(sql`select from users.trees where name = 'folders' for update`);
    const clientId = await tenantOf(db, ownerId);
    const above = parentId ? await findFolder(db, parentId, clientId) : undefined;
    const existing = await findFeature(db, { resourceType, resourceId });
    if (existing && above?.ancestors.includes(existing.featureId))
      throw new Conflict(
        "folder_cycle",
        "A folder cannot be inside itself or a folder below it. Choose another folder.",
      );
    const id = existing?.featureId ?? uuidv7();
    const moves = existing !== undefined && existing.parent !== (above?.featureId ?? null);
    if (moves) {
      await lockLabels(db, clientId);
      await keepLabels(db, [existing.featureId]);
    }
    const [row] = await db.query<{ id: string }>(sql`
      insert into users.features (id, type, resource_id, owner_id, client_id, parent_id, ancestors)
      values (${id}, ${resourceType}, ${resourceId}, ${ownerId}, ${clientId},
        ${above?.featureId ?? null}, ${[...(above?.ancestors ?? []), id]}::uuid[])
      on conflict on constraint one_feature_per_resource
      do update set owner_id = excluded.owner_id, client_id = excluded.client_id,
      parent_id = excluded.parent_id
      returning id`);
    const featureId = row?.id ?? id;
    if (moves) await rebuildAncestors(db, [featureId]);
    await refuseTooDeep(db, featureId);
    if (moves) {
      const entered = (above?.ancestors ?? []).filter(
        (folder) => !existing.ancestors.includes(folder),
      );
      await judgeMove(db, { featureId, ownerId, clientId, entered });
    }
    const found = await findFeature(db, { resourceType, resourceId });
    if (!found) throw new Error("the inserted feature is missing");
    return toFeature(found);
  });
}

/** A registered folder of the tenant. @throws NotFound `folder_not_registered`. */
async function findFolder(db: Database, resourceId: string, clientId: string) {
  const folder = await findFeature(db, { resourceType: "folder", resourceId });
  if (folder?.clientId !== clientId)
    throw new NotFound("folder_not_registered", "Register the folder before its contents.");
  return folder;
}

async function refuseTooDeep(db: Database, featureId: string): Promise<void> {
  const [{ deepest } = { deepest: 0 }] = await db.query<{ deepest: number }>(
    sql`select max(cardinality(ancestors)) as deepest from users.features
      where ancestors @> array[${featureId}::uuid]`,
  );
  if (deepest > MAX_FOLDER_LEVELS)
    throw new BadRequest(
      "folders_too_deep",
      `Folders may be nested ${MAX_FOLDER_LEVELS - 1} levels deep. Choose a higher folder.`,
      { params: { max: MAX_FOLDER_LEVELS - 1 } },
    );
}

/** The tenant of a user; the default tenant for unknown users, who have access to nothing. */
export async function tenantOf(db: Database, userId: string): Promise<string> {
  const [known] = await db.query<{ clientId: string }>(
    sql`select client_id as "clientId" from users.known_users where id = ${userId}`,
  );
  return known?.clientId ?? "default";
}

/** Registers many resources. One statement inserts all that are new and in no folder. */
export async function registerFeatures(
  db: Database,
  features: readonly z.output<typeof NewFeature>[],
): Promise<void> {
  const rows = features
    .filter(({ resourceType, parentId }) => !parentId && resourceType !== "folder")
    .map((feature) => ({ ...feature, id: uuidv7() }));
  const inserted = await db.query<Resource>(
    sql`insert into users.features (id, type, resource_id, owner_id, client_id, ancestors)
      select id, "resourceType", "resourceId", "ownerId",
        coalesce((select client_id from users.known_users where known_users.id = "ownerId"),
        'default'), array[id]
      from jsonb_to_recordset(${jsonb(rows)}) as g (id uuid, "resourceType" text,
      "resourceId" text, "ownerId" text)
      on conflict on constraint one_feature_per_resource do nothing
      returning type as "resourceType", resource_id as "resourceId"`,
    { name: "users-register-features" },
  );
  const insertedKeys = new Set(inserted.map(keyOf));
  for (const feature of features)
    if (!insertedKeys.has(keyOf(feature))) await registerFeature(db, feature);
}

const keyOf = ({ resourceType, resourceId }: Resource) => `${resourceType} ${resourceId}`;

/**
 * Deletes a resource with its shares, link and lock. The contents of a folder are in no folder
 * until they are registered again. Idempotent.
 */
export async function deleteFeature(db: Database, resource: Resource): Promise<void> {
  await db.tx(async () => {
    await db.query(sql`select from users.trees where name = 'folders' for update`);
    const feature = await findFeature(db, resource);
    if (!feature) return;
    const inside = await db.query<{ id: string }>(
      sql`select id from users.features where parent_id = ${feature.featureId}`,
    );
    await keepLabels(
      db,
      inside.map(({ id }) => id),
    );
    await db.query(sql`delete from users.features where id = ${feature.featureId}`);
    if (inside.length > 0)
      await rebuildAncestors(
        db,
        inside.map(({ id }) => id),
      );
  });
}

/** Gives some of what a user owns to another user. @returns how much. */
export async function transferFeatures(
  db: Database,
  ownerId: string,
  heirId: string,
): Promise<number> {
  const rows = await db.query(sql`update users.features set owner_id = ${heirId}
    where id in (select id from users.features where owner_id = ${ownerId}
      limit ${FEATURES_PER_BATCH}) returning 1`);
  return rows.length;
}

/**
 * Deletes some of what a user owns, folders last, with what else depends on it. Resources of others
 * leave the deleted folders. @returns how much.
 */
export async function deleteFeaturesOf(db: Database, ownerId: string): Promise<number> {
  return db.tx(async () => {
    await db.query(sql`select from users.trees where name = 'folders' for update`);
    const rows = await db.query<{ id: string }>(sql`select id from users.features
      where owner_id = ${ownerId} order by type = 'folder' limit ${FEATURES_PER_BATCH}`);
    const ids = rows.map(({ id }) => id);
    const inside = await db.query<{ id: string }>(sql`select id from users.features
      where parent_id = any(${ids}::uuid[]) and id <> all(${ids}::uuid[])`);
    await keepLabels(
      db,
      inside.map(({ id }) => id),
    );
    await db.query(sql`delete from users.features where id = any(${ids}::uuid[])`);
    if (inside.length > 0)
      await rebuildAncestors(
        db,
        inside.map(({ id }) => id),
      );
    return rows.length;
  });
}

/** Updates the paths of resources that changed folders, and of everything below them. */
async function rebuildAncestors(db: Database, ids: string[]): Promise<void> {
  await db.query(sql`
    with recursive tree (id, ancestors) as (
      select feature.id, coalesce(folder.ancestors, '{}') || feature.id from users.features feature
        left join users.features folder on folder.id = feature.parent_id
        where feature.id = any(${ids}::uuid[])
      union all
      select below.id, tree.ancestors || below.id from tree
        join users.features below on below.parent_id = tree.id
    )
    update users.features feature set ancestors = tree.ancestors from tree
      where feature.id = tree.id`);
}

/** Uses the unique index on type and resource. */
export async function findFeature(
  db: Database,
  { resourceType, resourceId }: Resource,
): Promise<FeatureRow | undefined> {
  const [row] = await db.query<FeatureRow>(
    sql`select ${COLUMNS} from users.features feature
      where feature.type = ${resourceType} and feature.resource_id = ${resourceId}`,
  );
  return row;
}

export async function findFeatureById(
  db: Database,
  id: string,
): Promise<FeatureRow | undefined> {
  const [row] = await db.query<FeatureRow>(
    sql`select ${COLUMNS} from users.features feature where feature.id = ${id}`,
  );
  return row;
}

/**
 * Returns the resource if the user has at least this role.
 * @throws NotFound `resource_not_found` without access, Forbidden `role_insufficient` with a weaker
 * role.
 */
export async function requireRole(
  db: Database,
  userId: string,
  resource: Resource,
  minimum: AccessRole,
): Promise<FeatureRow> {
  const [role = null] = await decideAccess(db, userId, [resource]);
  const feature = role === null ? undefined : await findFeature(db, resource);
  if (role === null || !feature) throw resourceNotFound();
  if (!isAtLeast(role, minimum))
    throw new Forbidden(
      "role_insufficient",
      `This needs the role ${minimum}; yours is ${role}. Ask an owner for a stronger role.`,
      { params: { needed: minimum, role } },
    );
  return feature;
}

export function resourceNotFound(): NotFound {
  return new NotFound(
    "resource_not_found",
    "This resource does not exist, or you may not see it. Check its type and id.",
  );
}

function toFeature({
  parent: _,
  ancestors: __,
  clientId: ___,
  ...row
}: FeatureRow): Feature {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
