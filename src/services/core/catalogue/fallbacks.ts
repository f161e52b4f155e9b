import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { AvailableModelEntry } from "../../completion/contract-catalogue.ts";
import type { ModelKind } from "../../completion/contract-model-kinds.ts";

/** Those of the available model that `id` names, in their order. */
export function fallbacksOf(id: Sql): Sql {
  return sql`array(select fallback_id from core.model_fallbacks f
    where f.available_model_id = ${id} order by f.position)`;
}

/**
 * Replaces the fallbacks of an available model. They are asked in turn, each once and without
 * fallbacks of their own, so two models may name each other. Call it in a transaction.
 * @throws BadRequest `fallbacks_repeated`, `fallback_unsuitable`.
 */
export async function setFallbacks(
  db: Database,
  id: string,
  fallbacks: readonly string[],
): Promise<void> {
  await checkFallbacks(db, id, fallbacks);
  await db.query(sql`delete from core.model_fallbacks where available_model_id = ${id}`);
  await db.query(sql`
    insert into core.model_fallbacks (available_model_id, position, fallback_id)
    select ${id}, position, fallback_id
    from unnest(${[...fallbacks]}::text[]) with ordinality as f (fallback_id, position)`);
}

/**
 * Whoever shares the load of a model also answers when it fails.
 * @throws BadRequest `load_sharing_unsuitable`.
 */
export function checkLoadSharing({
  fallbacks = [],
  loadSharing,
}: AvailableModelEntry): void {
  const others = loadSharing?.with.map(({ id }) => id) ?? [];
  const wrong = others.find((id, at) => !fallbacks.includes(id) || others.indexOf(id) < at);
  if (wrong !== undefined) throw unsuitableSharing(wrong);
}

async function checkFallbacks(
  db: Database,
  id: string,
  fallbacks: readonly string[],
): Promise<void> {
  if (fallbacks.length === 0) return;
  if (new Set([id, ...fallbacks]).size <= fallbacks.length) throw repeated();
  const rows = await db.query<Described>(sql`
    select a.id, m.kind, a.provider_model_id as name, m.dimensions
    from core.available_models a join core.models m on m.id = a.model_id
    where a.id = any(${[id, ...fallbacks]}::text[])`);
  const known = new Map(rows.map((row) => [row.id, row]));
  const asked = known.get(id);
  const unsuitable = fallbacks.find((one) => !isAlike(asked, known.get(one)));
  if (unsuitable !== undefined) throw unsuitableFallback(unsuitable);
}

interface Described {
  id: string;
  kind: ModelKind;
  /** The provider's. */
  name: string;
  dimensions: number | null;
}

/**
 * Whether one can answer for the other: of one kind and, where they embed texts, the same model,
 * since vectors of different models cannot be compared.
 */
function isAlike(asked: Described | undefined, other: Described | undefined): boolean {
  if (!asked || asked.kind !== other?.kind) return false;
  if (asked.kind !== "embedding") return true;
  return asked.name === other.name && asked.dimensions === other.dimensions;
}

function repeated(): BadRequest {
  return new BadRequest(
    "fallbacks_repeated",
    "A model is no fallback of its own, and each fallback is named once. Leave the others out.",
  );
}

function unsuitableFallback(name: string): BadRequest {
  return new BadRequest(
    "fallback_unsuitable",
    `"${name}" is no available model that can answer for this one. A fallback is of the same kind, ` +
      "and for embeddings the same model by name and dimensions, at another provider. " +
      "GET /api/v1/available-models/all lists them.",
    { params: { name } },
  );
}

function unsuitableSharing(name: string): BadRequest {
  return new BadRequest(
    "load_sharing_unsuitable",
    `"${name}" cannot share the load: it is no fallback of the model, or it is named twice. Name ` +
      "each once, and among the fallbacks, too.",
    { params: { name } },
  );
}
