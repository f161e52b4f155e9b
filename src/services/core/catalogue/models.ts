import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { ModelEntry } from "../../completion/contract-catalogue.ts";
import type { ModelChange, NewModel } from "./contract-entries.ts";
export const MODEL = sql`id, name, kind, context_window as "contextWindow",
  max_output_tokens as "maxOutputTokens", dimensions, query_prefix as "queryPrefix",
  passage_prefix as "passagePrefix", capabilities, enabled`;

export async function listModels(
  db: Database,
  {
    enabled = null,
    kind = null,
  }: { enabled?: boolean | null; kind?: ModelEntry["kind"] | null },
  limit: number,
  offset: number,
): Promise<{ items: ModelEntry[]; total: number }> {
  const condition = sql`(${enabled}::boolean is null or enabled = ${enabled})
    and (${kind}::text is null or kind = ${kind})`;
  const rows = await db.query<Nullable<ModelEntry>>(sql`
    select ${MODEL} from core.models where ${condition}
    order by id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.models where ${condition}`,
  );
  return { items: rows.map(withoutNulls<ModelEntry>), total: count?.total ?? 0 };
}

/** @throws NotFound `model_not_found`. */
export async function findModel(db: Database, id: string): Promise<ModelEntry> {
  const [row] = await db.query<Nullable<ModelEntry>>(
    sql`select ${MODEL} from core.models where id = ${id}`,
  );
  return toModel(row, id);
}

/** @throws Conflict `model_exists`. */
export async function createModel(db: Database, model: NewModel): Promise<ModelEntry> {
  const {
    id = uuidv7(),
    name,
    kind,
    contextWindow,
    maxOutputTokens,
    dimensions,
    queryPrefix,
    passagePrefix,
    enabled,
  } = model;
  try {
    const [row] = await db.query<Nullable<ModelEntry>>(sql`
      insert into core.models (id, name, kind, context_window, max_output_tokens, dimensions,
        query_prefix, passage_prefix, capabilities, enabled)
      values (${id}, ${name}, ${kind}, ${contextWindow ?? null}, ${maxOutputTokens ?? null},
        ${dimensions ?? null}, ${queryPrefix ?? null}, ${passagePrefix ?? null}, ${jsonb(capabilitiesOf(model))}, ${enabled})
      returning ${MODEL}`);
    return toModel(row, id);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Conflict(
      "model_exists",
      `There is a model "${id}" already. Change it, or choose another id.`,
      { params: { name: id } },
    );
  }
}

/** Of a model that answers, images are tried until somebody says whether it reads them. */
function capabilitiesOf({ kind, capabilities }: NewModel): ModelEntry["capabilities"] {
  const { vision, ...others } = capabilities;
  if (typeof vision === "boolean") return { ...others, vision };
  return kind === "completion"
    ? { ...others, vision: true, visionAssumed: true }
    : { ...others, vision: false };
}

/** Fields that are absent stay, and null removes a value. @throws NotFound. */
export async function changeModel(
  db: Database,
  id: string,
  change: ModelChange,
): Promise<ModelEntry> {
  const { name = null, enabled = null } = change;
  const { vision } = change.capabilities ?? {};
  const capabilities = {
    ...change.capabilities,
    ...(vision !== undefined && { vision: vision ?? true, visionAssumed: vision === null }),
  };
  const contextWindow = changedNumber(change.contextWindow, sql`context_window`);
  const maxOutputTokens = changedNumber(change.maxOutputTokens, sql`max_output_tokens`);
  const dimensions = changedNumber(change.dimensions, sql`dimensions`);
  const [row] = await db.query<Nullable<ModelEntry>>(sql`
    update core.models set
      name = coalesce(${name}, name),
      context_window = ${contextWindow},
      max_output_tokens = ${maxOutputTokens},
      dimensions = ${dimensions},
      query_prefix = ${changedText(change.queryPrefix, sql`query_prefix`)},
      passage_prefix = ${changedText(change.passagePrefix, sql`passage_prefix`)},
      capabilities = jsonb_strip_nulls(capabilities || ${jsonb(capabilities)}),
      enabled = coalesce(${enabled}::boolean, enabled)
    where id = ${id} returning ${MODEL}`);
  return toModel(row, id);
}

function changedNumber(value: number | null | undefined, column: Sql): Sql {
  return value === undefined ? column : sql`${value}::int`;
}

function changedText(value: string | null | undefined, column: Sql): Sql {
  return value === undefined ? column : sql`${value}::text`;
}

/** @throws NotFound; Conflict for a model of the environment. */
export async function deleteModel(db: Database, id: string): Promise<void> {
  const [used] = await db.query(sql`
    select 1 from core.available_models where model_id = ${id} and from_environment limit 1`);
  if (used) throw fromEnvironment();
  const rows = await db.query(sql`delete from core.models where id = ${id} returning 1`);
  if (rows.length === 0) throw notFound(id);
}

/** What the environment configures would be added again at the next start. */
export function fromEnvironment(): Conflict {
  return new Conflict(
    "from_environment",
    "The environment configures this, so the next start would add it again. Disable it instead.",
  );
}

function toModel(row: Nullable<ModelEntry> | undefined, id: string): ModelEntry {
  if (!row) throw notFound(id);
  return withoutNulls<ModelEntry>(row);
}

function notFound(id: string): NotFound {
  return new NotFound(
    "model_not_found",
    `There is no model "${id}". GET /api/v1/models/all lists the models.`,
    { params: { name: id } },
  );
}

/** A row whose absent optional fields are NULL. */
export type Nullable<T> = { [K in keyof T]: T[K] | null };

export function withoutNulls<T>(row: Nullable<T>): T {
  const entries = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as T; // only optional fields are NULL
}
