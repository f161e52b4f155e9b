import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { BadRequest, Conflict, Forbidden, NotFound } from "../../../platform/http/errors.ts";
import type { AccessRole, Feature, NewFeature, Resource } from "../contract-sharing.ts";
import { decideAccess, isAtLeast } from "./decide-access.ts";

const MAX_LEVELS = 64;

interface FeatureRow extends Omit<Feature, "createdAt"> {
  createdAt: Date;
  clientId: string;
  parent: string | null;
  ancestors: string[];
}

const COLUMNS = sql`feature.id as "featureId", feature.type as "resourceType", feature.resource_id as "resourceId", feature.owner_id as "ownerId",
  feature.client_id as "clientId",
  feature.parent_id as parent, feature.ancestors, feature.created_at as "createdAt",
  (select folder.resource_id from users.features folder where folder.id = feature.parent_id) as "parentId"`;

/**
 * A resource as the service that owns it tells; telling it again moves it to another folder or
 * owner.
 * @throws NotFound `folder_not_registered`; Conflict `folder_cycle`; BadRequest `folders_too_deep`.
 */
export async function registerFeature(
  db: Database,
  { resourceType, resourceId, ownerId, parentId }: z.output<typeof NewFeature>,
): Promise<Feature> {
  return db.tx(async () => {
    // without folders there is no tree to keep in form
    if (parentId || resourceType === "folder")
      await db.query(sql`select from users.trees where name = 'folders' for update`);
    const above = parentId
      ? await findFeature(db, { resourceType: "folder", resourceId: parentId })
      : undefined;
    const clientId = await tenantOf(db, ownerId);
    if (parentId && above?.clientId !== clientId)
      throw new NotFound("folder_not_registered", "Register the folder before what lies in it.");
    const before = await findFeature(db, { resourceType, resourceId });
    if (before && above?.ancestors.includes(before.featureId))
      throw new Conflict("folder_cycle", "A folder cannot lie in itself or in a folder below it.");
    const id = before?.featureId ?? uuidv7();
    const [row] = await db.query<{ id: string }>(sql`
      insert into users.features (id, type, resource_id, owner_id, client_id, parent_id, ancestors)
      values (${id}, ${resourceType}, ${resourceId}, ${ownerId},
        ${clientId},
        ${above?.featureId ?? null}, ${[...(above?.ancestors ?? []), id]}::uuid[])
      on conflict on constraint one_feature_per_resource
      do update set owner_id = excluded.owner_id, client_id = excluded.client_id, parent_id = excluded.parent_id
      returning id`);
    const featureId = row?.id ?? id;
    if (before && before.parent !== (above?.featureId ?? null))
      await renewAncestors(db, [featureId]);
    const [{ deepest } = { deepest: 0 }] = await db.query<{ deepest: number }>(
      sql`select max(cardinality(ancestors)) as deepest from users.features where ancestors @> array[${featureId}::uuid]`,
    );
    if (deepest > MAX_LEVELS)
      throw new BadRequest(
        "folders_too_deep",
        `Folders may be nested ${MAX_LEVELS - 1} levels deep.`,
      );
    const found = await findFeature(db, { resourceType, resourceId });
    if (!found) throw new Error("what was inserted is not there");
    return shown(found);
  });
}

/**
 * The tenant of a user; the default one for whoever is not known yet, and has access to nothing
 * until then.
 */
export async function tenantOf(db: Database, userId: string): Promise<string> {
  const [known] = await db.query<{ clientId: string }>(
    sql`select client_id as "clientId" from users.known_users where id = ${userId}`,
  );
  return known?.clientId ?? "default";
}

/** The same for many: what is new and lies in no folder takes one statement for all. */
export async function registerFeatures(
  db: Database,
  features: readonly z.output<typeof NewFeature>[],
): Promise<void> {
  const rows = features
    .filter(({ resourceType, parentId }) => !parentId && resourceType !== "folder")
    .map((feature) => ({ ...feature, id: uuidv7() }));
  const added = await db.query<Resource>(
    sql`insert into users.features (id, type, resource_id, owner_id, client_id, ancestors)
      select id, "resourceType", "resourceId", "ownerId",
        coalesce((select client_id from users.known_users where known_users.id = "ownerId"), 'default'), array[id]
      from jsonb_to_recordset(${jsonb(rows)}) as g (id uuid, "resourceType" text, "resourceId" text, "ownerId" text)
      on conflict on constraint one_feature_per_resource do nothing
      returning type as "resourceType", resource_id as "resourceId"`,
    { name: "users-register-features" },
  );
  const done = new Set(added.map(keyOf));
  for (const feature of features) if (!done.has(keyOf(feature))) await registerFeature(db, feature);
}

const keyOf = ({ resourceType, resourceId }: Resource) => `${resourceType} ${resourceId}`;

/**
 * Its shares, link and lock go with it; what lay in it lies nowhere until it is registered anew.
 */
export async function deleteFeature(db: Database, resource: Resource): Promise<void> {
  await db.tx(async () => {
    await db.query(sql`select from users.trees where name = 'folders' for update`);
    const feature = await findFeature(db, resource);
    if (!feature) return;
    const inside = await db.query<{ id: string }>(
      sql`select id from users.features where parent_id = ${feature.featureId}`,
    );
    await db.query(sql`delete from users.features where id = ${feature.featureId}`);
    if (inside.length > 0)
      await renewAncestors(
        db,
        inside.map(({ id }) => id),
      );
  });
}

/** Everything that a user owns becomes another's. */
export async function transferFeatures(
  db: Database,
  ownerId: string,
  heirId: string,
): Promise<void> {
  await db.query(sql`update users.features set owner_id = ${heirId} where owner_id = ${ownerId}`);
}

/** Everything that a user owns goes; what others put into his folders lies nowhere then. */
export async function deleteFeaturesOf(db: Database, ownerId: string): Promise<void> {
  await db.tx(async () => {
    await db.query(sql`select from users.trees where name = 'folders' for update`);
    const others = await db.query<{ id: string }>(sql`select feature.id from users.features feature
      join users.features folder on folder.id = feature.parent_id
      where folder.owner_id = ${ownerId} and feature.owner_id <> ${ownerId}`);
    await db.query(sql`delete from users.features where owner_id = ${ownerId}`);
    await renewAncestors(
      db,
      others.map(({ id }) => id),
    );
  });
}

/** After these changed folders: their own paths and those of everything below. */
async function renewAncestors(db: Database, ids: string[]): Promise<void> {
  await db.query(sql`
    with recursive tree (id, ancestors) as (
      select feature.id, coalesce(folder.ancestors, '{}') || feature.id from users.features feature
        left join users.features folder on folder.id = feature.parent_id where feature.id = any(${ids}::uuid[])
      union all
      select below.id, tree.ancestors || below.id from tree join users.features below on below.parent_id = tree.id
    )
    update users.features feature set ancestors = tree.ancestors from tree where feature.id = tree.id`);
}

/** By the unique index on type and resource. */
export async function findFeature(
  db: Database,
  { resourceType, resourceId }: Resource,
): Promise<FeatureRow | undefined> {
  const [row] = await db.query<FeatureRow>(
    sql`select ${COLUMNS} from users.features feature where feature.type = ${resourceType} and feature.resource_id = ${resourceId}`,
  );
  return row;
}

export async function findFeatureById(db: Database, id: string): Promise<FeatureRow | undefined> {
  const [row] = await db.query<FeatureRow>(
    sql`select ${COLUMNS} from users.features feature where feature.id = ${id}`,
  );
  return row;
}

/**
 * The resource, when the user may do with it what takes at least this role.
 * @throws NotFound `resource_not_found` without any access, Forbidden `role_insufficient` with too
 * little.
 */
export async function requireRole(
  db: Database,
  userId: string,
  resource: Resource,
  least: AccessRole,
): Promise<FeatureRow> {
  const [role = null] = await decideAccess(db, userId, [resource]);
  const feature = role === null ? undefined : await findFeature(db, resource);
  if (!feature) throw resourceNotFound();
  if (!isAtLeast(role, least))
    throw new Forbidden(
      "role_insufficient",
      `This takes the role ${least}; yours is ${role}. Ask an owner for more.`,
    );
  return feature;
}

export function resourceNotFound(): NotFound {
  return new NotFound("resource_not_found", "There is no such resource.");
}

function shown({ parent: _, ancestors: __, clientId: ___, ...row }: FeatureRow): Feature {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
