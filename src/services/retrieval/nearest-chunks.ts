import sql, { raw } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { currentSets, inScope, type Scope } from "./scope.ts";

export interface SearchModel {
  id: number;
  name: string;
  provider: string;
  dimensions: number;
  state: "active" | "building" | "retired";
  /** What its index holds. */
  indexType: "halfvec" | "vector";
}

export interface Found {
  chunkId: string;
  /** Cosine similarity, or what the search scores by. */
  score: number;
}

/** Up to so many chunks are compared one by one: exact, and faster than an index whose hits a filter throws away. */
const EXACT_UP_TO = 5_000;
const EF_SEARCH = 200;
/** Taken from the index beyond what is asked for: it orders by half-precision numbers. */
const SPARE = 10;

/**
 * The chunks nearest to a vector, the nearest first. Source: requirements 2 "Advanced engine", step 2.
 * A small scope is searched through exactly, a large one by the model's HNSW index, which goes on until enough of its hits lie in scope.
 */
export async function nearestChunks(
  db: Database,
  model: SearchModel,
  vector: readonly number[],
  scope: Scope,
  limit: number,
): Promise<Found[]> {
  const asked = vectorText(vector);
  const [size] = await db.query<{ chunks: number }>(sql`select coalesce(sum(total_chunks), 0)::int as chunks from (
    select s.total_chunks from ${currentSets(scope)} where s.state = 'current' and ${inScope(scope)} limit ${EXACT_UP_TO + 1}) few`);
  if ((size?.chunks ?? 0) <= EXACT_UP_TO)
    return db.query<Found>(sql`select e.chunk_id as "chunkId", greatest(0, 1 - (e.embedding <=> ${asked}::vector)) as score from documents.embeddings e
      where e.model_id = ${model.id} and e.set_id in (select s.id from ${currentSets(scope)} where s.state = 'current' and ${inScope(scope)})
      order by e.embedding <=> ${asked}::vector, e.chunk_id limit ${limit}`);

  // numbers of our own: the index holds the rows of one model, and its expression names the dimensions
  const id = raw(String(model.id));
  const indexed = raw(`${model.indexType}(${model.dimensions})`);
  const document = scope.owner ? sql`join documents.documents d on d.id = s.document_id` : sql``;
  return db.tx(async () => {
    await db.query(sql`select set_config('hnsw.ef_search', ${String(Math.max(EF_SEARCH, limit * 2))}, true),
      set_config('hnsw.iterative_scan', 'strict_order', true), set_config('enable_seqscan', 'off', true)`);
    return db.query<Found>(sql`select "chunkId", greatest(0, 1 - (embedding <=> ${asked}::vector)) as score from (
        select e.chunk_id as "chunkId", e.embedding from documents.embeddings e
        join documents.chunk_sets s on s.id = e.set_id and s.state = 'current' ${document}
        where e.model_id = ${id} and ${inScope(scope)}
        order by (e.embedding::${indexed}) <=> ${asked}::${indexed} limit ${limit + SPARE}) near
      order by embedding <=> ${asked}::vector, "chunkId" limit ${limit}`);
  });
}

export async function findModel(db: Database, name: string | undefined, dimensions: number): Promise<SearchModel | undefined> {
  const [row] =
    await db.query<SearchModel>(sql`select id, name, provider, dimensions, state, index_type as "indexType" from documents.embedding_models
    where (${name ?? null}::text is null and state = 'active') or (name = ${name ?? null} and dimensions = ${dimensions})`);
  return row;
}

function vectorText(vector: readonly number[]): string {
  return `[${vector.join(",")}]`;
}
