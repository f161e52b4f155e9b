import sql, { raw, type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { Conflict } from "../../platform/http/errors.ts";
import { LOCAL_PROVIDER, MAX_EXACT_CHUNKS } from "../embedding/contract.ts";
import type { Extent } from "./extent.ts";

/** A model whose vectors are stored. */
export interface VectorModel {
  id: number;
  name: string;
  provider: string;
  dimensions: number;
  /** The number type of its index. */
  indexType: "halfvec" | "vector";
}

export interface Found {
  /** The id of a chunk. */
  id: string;
  score: number;
}

/** The maximum of `hnsw.ef_search`. An iterative scan finds more. */
const MAX_CANDIDATES = 1_000;
/** For a scope with a smaller share of all chunks, more candidates are read from the index. */
const SMALL_SHARE = 0.25;
/**
 * The minimum of `hnsw.ef_search`: more candidates find more of the true neighbours. The hashed
 * words of a short question are far from all texts, so they need the maximum.
 */
const MIN_CANDIDATES = 300;
/** How many more rows are read from the index than requested. */
const EXTRA_ROWS = 10;
/** The limit of an iterative scan, which continues until enough rows pass the filter. */
const MAX_CANDIDATES_READ = 100_000;
/**
 * An iterative scan is used from the start when fewer matches than this multiple of the requested
 * rows are expected in the scope.
 */
const MIN_EXPECTED_FACTOR = 2;

/** Returns the active model; undefined before the first document was embedded. */
export async function activeModel(db: Database): Promise<VectorModel | undefined> {
  const [model] = await db.query<VectorModel>(
    sql`select id, name, provider, dimensions, index_type as "indexType" from documents.embedding_models where state = 'active'`,
    { name: "retrieval-active-model" },
  );
  return model;
}

/** Returns whether another model is replacing the active one. */
export async function isModelChanging(db: Database): Promise<boolean> {
  return (
    (await db.query(sql`select from documents.embedding_models where state = 'building'`))
      .length > 0
  );
}

/**
 * Checks that a vector can be compared with the stored ones.
 * @throws Conflict `embedding_mismatch`.
 */
export function checkComparable(
  model: VectorModel,
  vector: readonly number[],
  name: string | undefined,
): void {
  if (vector.length === model.dimensions && (name === undefined || name === model.name))
    return;
  const source = name ? ` of ${name}` : "";
  throw new Conflict(
    "embedding_mismatch",
    `The stored vectors are of ${model.name} with ${model.dimensions} dimensions; ` +
      `this one has ${vector.length}${source}. Embed the query with the same model.`,
  );
}

/** Returns `hnsw.ef_search` for a number of results. */
export function neighboursLookedAt(
  { provider }: VectorModel,
  { share }: Pick<Extent, "share">,
  limit: number,
): number {
  if (share < SMALL_SHARE || provider === LOCAL_PROVIDER) return MAX_CANDIDATES;
  return Math.min(Math.max(MIN_CANDIDATES, limit * 2), MAX_CANDIDATES);
}

/**
 * Finds the chunks nearest to a vector by cosine similarity, the nearest first. Compares the chunks
 * of a scope one by one while that is quick; in a larger scope, only those not yet in the index.
 */
export async function searchVectors(
  db: Database,
  model: VectorModel,
  vector: readonly number[],
  extent: Extent,
  limit: number,
  maxExact = MAX_EXACT_CHUNKS,
): Promise<Found[]> {
  if (extent.chunks === 0) return [];
  const query = JSON.stringify(vector);
  const searches =
    extent.chunks <= maxExact
      ? [compareAll(db, model, query, extent, limit, sql`true`)]
      : [
          searchIndexFor(db, model, query, extent, limit),
          compareAll(db, model, query, extent, limit, sql`not e.indexed`),
        ];
  const found = (await Promise.all(searches)).flat();
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ id, score }) => ({ id, score: Math.max(0, score) }));
}

async function compareAll(
  db: Database,
  model: VectorModel,
  query: string,
  extent: Extent,
  limit: number,
  condition: Sql,
): Promise<Found[]> {
  return db.query<Found>(sql`select e.chunk_id as id,
      1 - (e.embedding <=> ${query}::vector) as score
    from documents.embeddings e
    where e.model_id = ${toLiterals(model).id} and ${condition} and ${extent.has(sql`e.set_id`)}
    order by e.embedding <=> ${query}::vector limit ${limit}`);
}

/** Searches the index, with an iterative scan where few of its rows may be in the scope. */
async function searchIndexFor(
  db: Database,
  model: VectorModel,
  query: string,
  extent: Extent,
  limit: number,
): Promise<Found[]> {
  const byIndex = (iterative: boolean) =>
    searchIndex(db, model, query, extent, limit, iterative);
  // an iterative scan costs an eighth more, and a wide scope seldom needs it
  const expected = neighboursLookedAt(model, extent, limit) * extent.share;
  if (expected < MIN_EXPECTED_FACTOR * (limit + EXTRA_ROWS)) return byIndex(true);
  const found = await byIndex(false);
  return found.length < limit ? byIndex(true) : found;
}

async function searchIndex(
  db: Database,
  model: VectorModel,
  query: string,
  extent: Extent,
  limit: number,
  iterative: boolean,
): Promise<Found[]> {
  const { id, dimensions } = toLiterals(model);
  const candidates = String(neighboursLookedAt(model, extent, limit));
  const indexed = sql`${raw(model.indexType)}(${dimensions})`;
  const scan = iterative ? "strict_order" : "off";
  // Settings and search are one statement, which saves round trips: the search reads `made`, so
  // the settings are made first. `is true` prevents the use of other indexes, whose rows would all
  // have to be read and sorted. The index may hold half-precision numbers: its rows are sorted by
  // the full-precision ones.
  return db.query<Found>(sql`with settings as materialized (
      select set_config('hnsw.ef_search', ${candidates}, true) ||
        set_config('hnsw.iterative_scan', ${scan}, true) ||
        set_config('hnsw.max_scan_tuples', ${String(MAX_CANDIDATES_READ)}, true) as made)
    select near.id, near.score from settings cross join lateral (
      select id, 1 - (embedding <=> ${query}::vector) as score from (
        select e.chunk_id as id, e.embedding from documents.embeddings e
        where e.model_id = ${id} and e.indexed and (${extent.has(sql`e.set_id`)}) is true and settings.made <> ''
        order by (e.embedding::${indexed}) <=> ${query}::${indexed} limit ${limit + EXTRA_ROWS}) found
      order by embedding <=> ${query}::vector limit ${limit}) near order by near.score desc`);
}

/**
 * Returns the numbers of a model as SQL literals: the partial index of a model serves only a
 * statement with the literal id. The numbers come from the database, so they are safe.
 */
function toLiterals(model: VectorModel) {
  return {
    id: raw(String(Number(model.id))),
    dimensions: raw(String(Number(model.dimensions))),
  };
}
