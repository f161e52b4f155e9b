import sql, { raw } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { Conflict } from "../../platform/http/errors.ts";
import { LOCAL_PROVIDER } from "../embedding/contract.ts";
import type { Extent } from "./extent.ts";

/** A model whose vectors are stored. */
export interface VectorModel {
  id: number;
  name: string;
  provider: string;
  dimensions: number;
  /** What its index holds. */
  indexType: "halfvec" | "vector";
}

export interface Found {
  /** Of a chunk. */
  id: string;
  score: number;
}

/** Fewer chunks than these are compared one by one, which is exact; the index serves more. */
const MAX_EXACT = 4_000;
/**
 * Where they are a small share of all the index finds few of them among its neighbours, and exact
 * search takes no longer.
 */
const MAX_EXACT_OF_MANY = 10_000;
const SMALL_SHARE = 0.25;
/**
 * Neighbours that the index looks at, at least: more find more of the true ones. Hashes of a short
 * question are far from all texts, so they need most.
 */
const MIN_CANDIDATES = 300;
/** pgvector's most. */
const MIN_HASH_CANDIDATES = 1_000;
const LOOKED_AT_FOR_A_SMALL_SHARE = 1_000;
/** Taken from the index beyond what is asked for. */
const SPARE = 10;
/** Where a filter leaves few, the index is read on until so many were looked at. */
const MAX_CANDIDATES_READ = 100_000;
/**
 * Among the neighbours looked at, so many times what is wanted have to be expected in the scope, or
 * the index is made ready to be read on.
 */
const PLENTY = 2;

/** The model in use; undefined before the first document was embedded. */
export async function activeModel(db: Database): Promise<VectorModel | undefined> {
  const [model] = await db.query<VectorModel>(
    sql`select id, name, provider, dimensions, index_type as "indexType" from documents.embedding_models where state = 'active'`,
    { name: "retrieval-active-model" },
  );
  return model;
}

/** Whether another model is taking the place of the one in use. */
export async function isModelChanging(db: Database): Promise<boolean> {
  return (
    (await db.query(sql`select from documents.embedding_models where state = 'building'`)).length >
    0
  );
}

/**
 * @throws Conflict `embedding_mismatch` for a vector that cannot be compared with those that are
 * stored.
 */
export function checkComparable(
  model: VectorModel,
  vector: readonly number[],
  name: string | undefined,
): void {
  if (vector.length === model.dimensions && (name === undefined || name === model.name)) return;
  throw new Conflict(
    "embedding_mismatch",
    `The stored vectors are of ${model.name} with ${model.dimensions} dimensions; this one has ${vector.length}${name ? ` of ${name}` : ""}. Embed the query with the same model.`,
  );
}

/** `hnsw.ef_search` for so many results. */
export function neighboursLookedAt(
  { provider }: VectorModel,
  { share }: Pick<Extent, "share">,
  limit: number,
): number {
  if (share < SMALL_SHARE) return LOOKED_AT_FOR_A_SMALL_SHARE;
  return Math.max(provider === LOCAL_PROVIDER ? MIN_HASH_CANDIDATES : MIN_CANDIDATES, limit * 2);
}

/** The chunks nearest to a vector by cosine, the nearest first. */
export async function searchVectors(
  db: Database,
  model: VectorModel,
  vector: readonly number[],
  extent: Extent,
  limit: number,
  mostExact = extent.share < SMALL_SHARE && model.indexType === "halfvec"
    ? MAX_EXACT_OF_MANY
    : MAX_EXACT,
): Promise<Found[]> {
  if (extent.chunks === 0) return [];
  const query = JSON.stringify(vector);
  if (extent.chunks <= mostExact)
    return db.query<Found>(sql`select e.chunk_id as id, greatest(0, 1 - (e.embedding <=> ${query}::vector)) as score
      from documents.embeddings e where e.model_id = ${numbersOf(model).id} and ${extent.has(sql`e.set_id`)}
      order by e.embedding <=> ${query}::vector limit ${limit}`);
  const byIndex = (readOn: boolean) => searchIndex(db, model, query, extent, limit, readOn);
  // to be ready to be read on costs an eighth of the search: seldom needed where the filter leaves
  // many
  const expected = neighboursLookedAt(model, extent, limit) * extent.share;
  if (expected < PLENTY * (limit + SPARE)) return byIndex(true);
  const found = await byIndex(false);
  return found.length < limit ? byIndex(true) : found;
}

async function searchIndex(
  db: Database,
  model: VectorModel,
  query: string,
  extent: Extent,
  limit: number,
  readOn: boolean,
): Promise<Found[]> {
  const { id, dimensions } = numbersOf(model);
  const looked = String(neighboursLookedAt(model, extent, limit));
  const indexed = sql`${raw(model.indexType)}(${dimensions})`;
  // Settings and search in one statement, which is one way to the database instead of four: the
  // search asks for `made`, so they are made first. `is true` keeps other indexes away, whose rows
  // would all have to be read and sorted. The index may hold half-precision numbers: what it finds
  // is put in order by the whole ones.
  return db.query<Found>(sql`with settings as materialized (select set_config('hnsw.ef_search', ${looked}, true) ||
      set_config('hnsw.iterative_scan', ${readOn ? "strict_order" : "off"}, true) || set_config('hnsw.max_scan_tuples', ${String(MAX_CANDIDATES_READ)}, true) as made)
    select near.id, near.score from settings cross join lateral (
      select id, greatest(0, 1 - (embedding <=> ${query}::vector)) as score from (
        select e.chunk_id as id, e.embedding from documents.embeddings e
        where e.model_id = ${id} and (${extent.has(sql`e.set_id`)}) is true and settings.made <> ''
        order by (e.embedding::${indexed}) <=> ${query}::${indexed} limit ${limit + SPARE}) found
      order by embedding <=> ${query}::vector limit ${limit}) near order by near.score desc`);
}

/**
 * Of our own table, and so no parameters: an index of one model serves only a statement that names
 * it.
 */
function numbersOf(model: VectorModel) {
  return { id: raw(String(Number(model.id))), dimensions: raw(String(Number(model.dimensions))) };
}
