import sql, { join, type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { isUniqueViolation } from "../../../platform/db/pooled-database.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type {
  AvailableModel,
  AvailableModelChange,
  NewAvailableModel,
} from "./contract-entries.ts";
import { findModel, fromEnvironment } from "./models.ts";
import { type Nullable, withoutNulls } from "./nullable.ts";
import { findProvider } from "./providers.ts";

const ENTRY = sql`id, model_id as "modelId", provider_name as "providerName", provider_model_id as "providerModelId",
  display_name as "displayName", enabled, pricing, position, from_environment as "fromEnvironment"`;

export interface Filter {
  enabled?: true;
  providerName?: string;
  modelId?: string;
}

export async function listAvailableModels(
  db: Database,
  { enabled, providerName, modelId }: Filter,
  limit: number,
  offset: number,
): Promise<{ items: AvailableModel[]; total: number }> {
  const conditions: Sql[] = [
    sql`true`,
    ...(enabled ? [sql`enabled`] : []),
    ...(providerName === undefined ? [] : [sql`provider_name = ${providerName}`]),
    ...(modelId === undefined ? [] : [sql`model_id = ${modelId}`]),
  ];
  const condition = join(conditions, " and ");
  const rows = await db.query<Nullable<AvailableModel>>(
    sql`select ${ENTRY} from core.available_models where ${condition} order by position, id limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.available_models where ${condition}`,
  );
  return { items: rows.map(withoutNulls<AvailableModel>), total: count?.total ?? 0 };
}

/** In the order of the ids. */
export async function findAvailableModels(
  db: Database,
  ids: readonly string[],
): Promise<AvailableModel[]> {
  const rows = await db.query<Nullable<AvailableModel>>(
    sql`select ${ENTRY} from core.available_models where id in (${join([...ids])})`,
  );
  const found = new Map(rows.map((row) => [row.id, withoutNulls<AvailableModel>(row)]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}

/** @throws NotFound `available_model_not_found`. */
export async function findAvailableModel(db: Database, id: string): Promise<AvailableModel> {
  const [entry] = await findAvailableModels(db, [id]);
  if (!entry) throw notFound(id);
  return entry;
}

/**
 * Whether each can answer now; if not, whether it is absent or it, its model or its provider
 * disabled.
 */
export async function validateAvailableModels(db: Database, ids: readonly string[]) {
  const rows = await db.query<{
    id: string;
    usable: boolean;
  }>(sql`select a.id, a.enabled and m.enabled and p.enabled and p.available as usable
    from core.available_models a join core.models m on m.id = a.model_id join core.model_providers p on p.name = a.provider_name
    where a.id in (${join([...ids])})`);
  const known = new Map(rows.map(({ id, usable }) => [id, usable]));
  const results = ids.map((id) => {
    const usable = known.get(id);
    if (usable) return { id, valid: true };
    return {
      id,
      valid: false,
      reason: usable === undefined ? ("absent" as const) : ("disabled" as const),
    };
  });
  return { valid: results.every(({ valid }) => valid), results };
}

/** @throws NotFound for an absent model or provider, Conflict `available_model_exists`. */
export async function createAvailableModel(
  db: Database,
  entry: NewAvailableModel,
): Promise<AvailableModel> {
  const {
    id = uuidv7(),
    modelId,
    providerName,
    providerModelId,
    enabled,
    pricing,
    position,
  } = entry;
  try {
    return await db.tx(async () => {
      const model = await findModel(db, modelId);
      await findProvider(db, providerName, false);
      await db.query(sql`insert into core.available_models (id, model_id, provider_name, provider_model_id, display_name, enabled, pricing)
        values (${id}, ${modelId}, ${providerName}, ${providerModelId}, ${entry.displayName ?? model.name}, ${enabled}, ${jsonb(pricing)})`);
      if (position !== undefined)
        await db.query(
          sql`update core.available_models set position = ${position} where id = ${id}`,
        );
      return findAvailableModel(db, id);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? exists() : error;
  }
}

/** @throws NotFound, Conflict for another name at the provider that is taken. */
export async function changeAvailableModel(
  db: Database,
  id: string,
  change: AvailableModelChange,
): Promise<AvailableModel> {
  const { providerModelId, displayName, enabled, pricing, position } = change;
  const price = pricing === undefined ? sql`pricing` : jsonb(pricing);
  try {
    const rows =
      await db.query(sql`update core.available_models set provider_model_id = coalesce(${providerModelId ?? null}, provider_model_id),
        display_name = coalesce(${displayName ?? null}, display_name), enabled = coalesce(${enabled ?? null}::boolean, enabled), pricing = ${price},
        position = coalesce(${position ?? null}::int, position)
      where id = ${id} returning 1`);
    if (rows.length === 0) throw notFound(id);
  } catch (error) {
    throw isUniqueViolation(error) ? exists() : error;
  }
  return findAvailableModel(db, id);
}

/** @throws NotFound; Conflict for one of the environment. */
export async function deleteAvailableModel(db: Database, id: string): Promise<void> {
  if ((await findAvailableModel(db, id)).fromEnvironment) throw fromEnvironment();
  await db.query(sql`delete from core.available_models where id = ${id}`);
}

function exists(): Conflict {
  return new Conflict(
    "available_model_exists",
    "This id, or this model of the provider, is in the catalogue already.",
  );
}

function notFound(id: string): NotFound {
  return new NotFound(
    "available_model_not_found",
    `There is no available model "${id}". GET /api/v1/available-models/all lists what there is.`,
  );
}
