import sql, { join, type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { BadRequest, Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { DefaultParameters } from "../../completion/contract-model-parameters.ts";
import {
  type ProviderKind,
  untakenOption,
} from "../../completion/contract-provider-kinds.ts";
import type {
  AvailableModel,
  AvailableModelChange,
  NewAvailableModel,
} from "./contract-entries.ts";
import { checkLoadSharing, fallbacksOf, setFallbacks } from "./fallbacks.ts";
import { findModel, fromEnvironment, type Nullable, withoutNulls } from "./models.ts";
import { findProvider } from "./providers.ts";

const ENTRY = sql`id, model_id as "modelId", provider_name as "providerName",
  provider_model_id as "providerModelId", display_name as "displayName", enabled, pricing,
  position, from_environment as "fromEnvironment",
  ${fallbacksOf(sql`available_models.id`)} as fallbacks, load_sharing as "loadSharing", parameters,
  (select kind from core.models where models.id = model_id) as kind,
  enabled and offered and exists (
    select 1 from core.models, core.model_providers provider
      where models.id = model_id and models.enabled
        and provider.name = provider_name and provider.enabled and provider.available
  ) as usable`;

export interface Filter {
  enabled?: true;
  providerName?: string;
  modelId?: string;
  words?: string | undefined;
}

export async function listAvailableModels(
  db: Database,
  filter: Filter,
  limit: number,
  offset: number,
): Promise<{ items: AvailableModel[]; total: number }> {
  const condition = toCondition(filter);
  const rows = await db.query<Nullable<AvailableModel>>(sql`
    select ${ENTRY} from core.available_models where ${condition}
    order by position, id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.available_models where ${condition}`,
  );
  return { items: rows.map(withoutNulls<AvailableModel>), total: count?.total ?? 0 };
}

function toCondition({ enabled, providerName, modelId, words }: Filter): Sql {
  const conditions = [sql`true`];
  if (enabled) conditions.push(sql`enabled`);
  if (providerName !== undefined) conditions.push(sql`provider_name = ${providerName}`);
  if (modelId !== undefined) conditions.push(sql`model_id = ${modelId}`);
  if (words !== undefined) {
    const folded = sql`core.fold_text(${words.replaceAll("\0", "")})`;
    conditions.push(sql`(strpos(core.fold_text(display_name), ${folded}) > 0
      or strpos(core.fold_text(provider_name || '/' || provider_model_id), ${folded}) > 0)`);
  }
  return join(conditions, " and ");
}

/** Returns them in the order of the ids. */
export async function findAvailableModels(
  db: Database,
  ids: readonly string[],
): Promise<AvailableModel[]> {
  const rows = await db.query<Nullable<AvailableModel>>(
    sql`select ${ENTRY} from core.available_models where id in (${join([...ids])})`,
  );
  const byId = new Map(rows.map((row) => [row.id, withoutNulls<AvailableModel>(row)]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** @throws NotFound `available_model_not_found`. */
export async function findAvailableModel(
  db: Database,
  id: string,
): Promise<AvailableModel> {
  const [entry] = await findAvailableModels(db, [id]);
  if (!entry) throw notFound(id);
  return entry;
}

/** Returns whether each can answer now, and if not, whether it is absent or disabled. */
export async function validateAvailableModels(db: Database, ids: readonly string[]) {
  const rows = await db.query<{ id: string; usable: boolean }>(sql`
    select a.id, a.enabled and m.enabled and p.enabled and p.available as usable
    from core.available_models a join core.models m on m.id = a.model_id
      join core.model_providers p on p.name = a.provider_name
    where a.id in (${join([...ids])})`);
  const usableById = new Map(rows.map(({ id, usable }) => [id, usable]));
  const results = ids.map((id) => toValidation(id, usableById.get(id)));
  return { valid: results.every(({ valid }) => valid), results };
}

function toValidation(id: string, usable: boolean | undefined) {
  if (usable) return { id, valid: true };
  const reason = usable === undefined ? ("absent" as const) : ("disabled" as const);
  return { id, valid: false, reason };
}

/**
 * @throws NotFound for an absent model or provider, Conflict `available_model_exists`, and what
 * `setFallbacks`, `checkLoadSharing` and `checkParameters` throw.
 */
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
    position,
  } = entry;
  try {
    return await db.tx(async () => {
      const { name } = await findModel(db, modelId);
      const { kind } = await findProvider(db, providerName, false);
      checkParameters(kind, entry.parameters);
      await db.query(sql`
        insert into core.available_models (id, model_id, provider_name, provider_model_id,
          display_name, enabled, pricing, load_sharing, parameters)
        values (${id}, ${modelId}, ${providerName}, ${providerModelId},
          ${entry.displayName ?? name}, ${enabled}, ${jsonb(entry.pricing)},
          ${jsonb(entry.loadSharing)}, ${jsonb(entry.parameters)})`);
      if (position !== undefined) await moveTo(db, id, position);
      if (entry.fallbacks) await setFallbacks(db, id, entry.fallbacks);
      const created = await findAvailableModel(db, id);
      if (entry.loadSharing) checkLoadSharing(created);
      return created;
    });
  } catch (error) {
    throw isUniqueViolation(error) ? exists() : error;
  }
}

/**
 * @throws NotFound; Conflict when the provider's name of the model is taken; what `setFallbacks`,
 * `checkLoadSharing` and `checkParameters` throw.
 */
export async function changeAvailableModel(
  db: Database,
  id: string,
  change: AvailableModelChange,
): Promise<AvailableModel> {
  const {
    providerModelId = null,
    displayName = null,
    enabled = null,
    position = null,
  } = change;
  const pricing = change.pricing === undefined ? sql`pricing` : jsonb(change.pricing);
  const loadSharing =
    change.loadSharing === undefined ? sql`load_sharing` : jsonb(change.loadSharing);
  const parameters =
    change.parameters === undefined
      ? sql`parameters`
      : jsonb(nullWhereEmpty(change.parameters));
  try {
    await db.tx(async () => {
      const rows = await db.query<{ providerName: string }>(sql`
        update core.available_models set
          provider_model_id = coalesce(${providerModelId}, provider_model_id),
          display_name = coalesce(${displayName}, display_name),
          enabled = coalesce(${enabled}::boolean, enabled),
          pricing = ${pricing},
          load_sharing = ${loadSharing},
          parameters = ${parameters}
        where id = ${id} returning provider_name as "providerName"`);
      const [changed] = rows;
      if (!changed) throw notFound(id);
      if (change.parameters) {
        const { kind } = await findProvider(db, changed.providerName, false);
        checkParameters(kind, change.parameters);
      }
      if (position !== null) await moveTo(db, id, position);
      if (change.fallbacks) await setFallbacks(db, id, change.fallbacks);
      if (change.loadSharing) checkLoadSharing(await findAvailableModel(db, id));
    });
  } catch (error) {
    throw isUniqueViolation(error) ? exists() : error;
  }
  return findAvailableModel(db, id);
}

function nullWhereEmpty(parameters: DefaultParameters): DefaultParameters | null {
  return Object.keys(parameters).length > 0 ? parameters : null;
}

/** A parameter that the provider cannot take would make each request fail. */
function checkParameters(kind: ProviderKind, parameters: DefaultParameters = {}): void {
  const name = untakenOption(kind, parameters);
  if (name !== undefined) throw parameterUnsupported(name);
}

/** Gives an entry a position. Whatever has it moves one back, with all behind it. */
async function moveTo(db: Database, id: string, position: number): Promise<void> {
  await db.query(sql`
    update core.available_models set position = position + 1
    where position >= ${position} and id <> ${id} and exists (
      select 1 from core.available_models
        where position = ${position} and id <> ${id})`);
  await db.query(
    sql`update core.available_models set position = ${position} where id = ${id}`,
  );
}

/** @throws NotFound; Conflict for one of the environment. */
export async function deleteAvailableModel(db: Database, id: string): Promise<void> {
  if ((await findAvailableModel(db, id)).fromEnvironment) throw fromEnvironment();
  await db.query(sql`delete from core.available_models where id = ${id}`);
}

function exists(): Conflict {
  return new Conflict(
    "available_model_exists",
    "The catalogue has this id, or this model of the provider, already. Change that entry instead.",
  );
}

function parameterUnsupported(name: string): BadRequest {
  return new BadRequest(
    "parameter_unsupported",
    `The provider of this model has no place for ${name}. Leave it out.`,
    { params: { name } },
  );
}

function notFound(id: string): NotFound {
  return new NotFound(
    "available_model_not_found",
    `There is no available model "${id}". GET /api/v1/available-models/all lists them.`,
  );
}
