import sql, { raw, type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { vectorValue } from "../../platform/db/vector-value.ts";
import { Unavailable } from "../../platform/http/errors.ts";
import { LOCAL_PROVIDER, MAX_EXACT_CHUNKS } from "../embedding/contract.ts";
import type { Extent } from "./extent.ts";
import { MIN_CHUNKS, type Near, type VectorIndex } from "./vector-index/vector-index.ts";
import type { VectorModel } from "./vector-model.ts";

export interface Found {
  /** The id of a chunk. */
  id: string;
  score: number;
}

export interface VectorSearchDeps {
  db: Database;
  /** Of the embedded database. */
  vectorIndex?: VectorIndex | undefined;
}

/** Numbers of 8 bits may change places among the nearest. */
export const EXTRA_CANDIDATES = 100;
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
  { db, vectorIndex }: VectorSearchDeps,
  model: VectorModel,
  vector: readonly number[],
  extent: Extent,
  limit: number,
  maxExact = MAX_EXACT_CHUNKS,
): Promise<Found[]> {
  if (extent.chunks === 0) return [];
  if (vectorIndex && extent.wanted && extent.chunks > MIN_CHUNKS) {
    const search = { vector, wanted: extent.wanted, limit: limit + EXTRA_CANDIDATES };
    const near = await vectorIndex.search(model, search);
    if (near && near.lacking.chunks > maxExact) throw vectorsNotReady();
    if (near) return compareNear(db, model, vector, extent, limit, near);
  }
  const searches =
    extent.chunks <= maxExact
      ? [compareAll(db, model, vector, extent, limit, sql`true`)]
      : [
          searchIndexFor(db, model, vector, extent, limit),
          compareAll(db, model, vector, extent, limit, sql`not e.indexed`),
        ];
  return firstOf((await Promise.all(searches)).flat(), limit);
}

/** Compares candidates, and the chunks that the index lacks, by the stored numbers. */
async function compareNear(
  db: Database,
  model: VectorModel,
  vector: readonly number[],
  extent: Extent,
  limit: number,
  { ids, lacking }: Near,
): Promise<Found[]> {
  const compare = (condition: Sql) =>
    compareAll(db, model, vector, extent, limit, condition);
  const found = await compare(sql`e.chunk_id = any (${ids}::uuid[])`);
  const others =
    lacking.chunks > 0 ? await compare(sql`e.set_id = any (${lacking.ids}::uuid[])`) : [];
  // a set that was read in part is in both
  const best = new Map([...others, ...found].map((one) => [one.id, one]));
  return firstOf([...best.values()], limit);
}

function firstOf(found: Found[], limit: number): Found[] {
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ id, score }) => ({ id, score: Math.max(0, score) }));
}

function vectorsNotReady(): Unavailable {
  return new Unavailable(
    "vectors_not_ready",
    "The vectors of the documents are being read, after a start or a change of the embedding " +
      "model. Ask again in a minute.",
    20_000,
  );
}

async function compareAll(
  db: Database,
  model: VectorModel,
  vector: readonly number[],
  extent: Extent,
  limit: number,
  condition: Sql,
): Promise<Found[]> {
  // the distance is computed once: vectors are long, and are read from beside the table
  return db.query<Found>(sql`select id, 1 - distance as score from (
      select e.chunk_id as id, e.embedding <=> ${vectorValue(vector)} as distance
      from documents.embeddings e
      where e.model_id = ${toLiterals(model).id} and ${condition} and ${extent.has(sql`e.set_id`)}
      order by distance limit ${limit}) near order by distance`);
}

/** Searches the index, with an iterative scan where few of its rows may be in the scope. */
async function searchIndexFor(
  db: Database,
  model: VectorModel,
  vector: readonly number[],
  extent: Extent,
  limit: number,
): Promise<Found[]> {
  const byIndex = (iterative: boolean) =>
    searchIndex(db, model, vector, extent, limit, iterative);
  // an iterative scan costs an eighth more, and a wide scope seldom needs it
  const expected = neighboursLookedAt(model, extent, limit) * extent.share;
  if (expected < MIN_EXPECTED_FACTOR * (limit + EXTRA_ROWS)) return byIndex(true);
  const found = await byIndex(false);
  return found.length < limit ? byIndex(true) : found;
}

async function searchIndex(
  db: Database,
  model: VectorModel,
  vector: readonly number[],
  extent: Extent,
  limit: number,
  iterative: boolean,
): Promise<Found[]> {
  const { id, dimensions } = toLiterals(model);
  const candidates = String(neighboursLookedAt(model, extent, limit));
  const query = JSON.stringify(vector);
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
