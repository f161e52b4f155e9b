import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { memoryBytes } from "../../../platform/memory.ts";
import { mostExact } from "../contract-exact.ts";
import type { StoredModel } from "./models-store.ts";

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
