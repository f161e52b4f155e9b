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
  const rows = await db.query<{ id: string; kind: ModelKind }>(sql`
    select a.id, m.kind from core.available_models a join core.models m on m.id = a.model_id
    where a.id = any(${[id, ...fallbacks]}::text[])`);
  const answering = new Set(
    rows.filter(({ kind }) => kind === "completion").map((row) => row.id),
  );
  const unsuitable = [id, ...fallbacks].find((one) => !answering.has(one));
  if (unsuitable !== undefined) throw unsuitableFallback(unsuitable);
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
    `There is no available model "${name}" that answers. Only such models have fallbacks, and ` +
      "only such are fallbacks. GET /api/v1/available-models/all lists them.",
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
