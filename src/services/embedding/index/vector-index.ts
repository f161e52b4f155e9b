import sql, { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { LOCAL_PROVIDER, mostExact } from "../contract.ts";
import type { StoredModel } from "./models-store.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryBytes } from "../../../platform/memory.ts";
/**
 * `m`: links per vector. `ef_construction`: candidates while the graph is built. WebAssembly builds
 * at a tenth of native speed. Hashed words are nearly equally distant from each other, so a thinner
 * graph loses a tenth of the nearest (docs/retrieval.md).
 */
const HNSW = {
  halfvec: "m = 24, ef_construction = 128",
  vector: "m = 16, ef_construction = 64",
};
const HNSW_OF_HASHES = { halfvec: "m = 40, ef_construction = 256", vector: HNSW.vector };

/**
 * Makes the HNSW index of a model. With half-precision numbers a page of the index holds three
 * vectors instead of one, and the order of the nearest is the same. The index starts empty:
 * `indexVectors` fills it.
 */
export async function indexModel(
  db: Database,
  { id, provider, dimensions, indexType }: StoredModel,
): Promise<void> {
  const links = (provider === LOCAL_PROVIDER ? HNSW_OF_HASHES : HNSW)[indexType];
  // only numbers and identifiers from this file
  await db.query(
    raw(`create index if not exists embeddings_hnsw_${id} on documents.embeddings
      using hnsw ((embedding::${indexType}(${dimensions})) ${indexType}_cosine_ops) with (${links}) where model_id = ${id} and indexed`),
  );
}

/**
 * The maximum number of unindexed vectors of a model with an index. A search compares each of them.
 */
const MAX_UNINDEXED = 4_000;
/** Each row is linked to its neighbours, which takes milliseconds. */
const ROWS_PER_STATEMENT = 16;

/**
 * Adds vectors of a model to its HNSW index when an exact search of all of them would be slow.
 * Pauses for as long as it works, so that the database keeps answering.
 */
export async function indexVectors(
  db: Database,
  { id, dimensions }: Pick<StoredModel, "id" | "dimensions">,
  signal: AbortSignal,
  maxExact = mostExact(db, memoryBytes(), dimensions),
): Promise<void> {
  const limit = (await hasIndexed(db, id)) ? Math.min(MAX_UNINDEXED, maxExact) : maxExact;
  if (!(await hasMoreUnindexed(db, id, limit))) return;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const rows = await db.query(sql`update documents.embeddings set indexed = true
      where (chunk_id, model_id) in (select chunk_id, model_id from documents.embeddings
        where model_id = ${id} and not indexed order by chunk_id limit ${ROWS_PER_STATEMENT}
        for update skip locked)
      returning chunk_id`);
    if (rows.length === 0) return;
    // ended by the signal, which the loop asks
    await sleep(performance.now() - startedAt, undefined, { signal }).catch(() => {});
  }
}

async function hasIndexed(db: Database, modelId: number): Promise<boolean> {
  const rows = await db.query(
    sql`select from documents.embeddings where model_id = ${modelId} and indexed limit 1`,
  );
  return rows.length > 0;
}

async function hasMoreUnindexed(
  db: Database,
  modelId: number,
  limit: number,
): Promise<boolean> {
  const rows = await db.query(sql`select from documents.embeddings
    where model_id = ${modelId} and not indexed order by chunk_id offset ${limit} limit 1`);
  return rows.length > 0;
}
