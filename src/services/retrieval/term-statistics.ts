import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { CompoundSearch } from "./compounds.ts";
import { anyOf } from "./ts-query.ts";

export interface Corpus {
  chunks: number;
  documents: number;
  /** The average length of a chunk, in words. */
  averageLength: number;
  /** The full-text search configurations of the indexed chunks. */
  configurations: readonly string[];
  /** Another one when documents came, were replaced, or went. */
  state: string;
}

/** Counts how many indexed chunks contain a term. Cached, because the counts change slowly. */
export interface TermStatistics {
  corpus(): Promise<Corpus>;
  countChunksWith(
    terms: readonly string[],
    corpus: Corpus,
  ): Promise<ReadonlyMap<string, number>>;
  /** Counts how many indexed chunks match each `tsquery`, up to {@link MAX_COUNTED}. */
  countMatches(queries: readonly string[]): Promise<readonly number[]>;
  /** The most frequent lexemes, in a sample of chunks, that any of the searches finds. */
  findCompounds(
    searches: readonly CompoundSearch[],
    corpus: Corpus,
  ): Promise<readonly string[]>;
}

/**
 * In a large corpus, a document in a new language, or with a new word, can be found by its words
 * after this time at the latest.
 */
const CORPUS_CACHE_MS = 3_000;
/** A smaller corpus is read at once, and people look for what they have just added. */
const SMALL_CORPUS_CHUNKS = 2_000;
/** For lengths and counts, which are slower to read and change less. */
const COUNT_CACHE_MS = 300_000;
const MAX_CACHED_TERMS = 50_000;
const MAX_CACHED_COMPOUNDS = 10_000;
const MAX_CACHED_MATCHES = 1_000;
/** More chunks than that make a phrase no rarer. */
const MAX_COUNTED = 5_000;
/** For each search, all words of so many chunks are read. */
const COMPOUND_SAMPLE_CHUNKS = 40;
const MAX_COMPOUNDS = 24;
/** The number of chunks that the average length is computed from. */
const SAMPLE_CHUNKS = 10_000;

export function createTermStatistics(db: Database): TermStatistics {
  const readCachedLength = cached(COUNT_CACHE_MS, () => readAverageLength(db));
  const readCorpus = async () => {
    const size = await readSize(db);
    // a small corpus is read quickly and changes fast: do not cache its average
    return {
      ...size,
      averageLength: await (size.chunks < SAMPLE_CHUNKS
        ? readAverageLength(db)
        : readCachedLength()),
    };
  };
  const corpus = cached(
    CORPUS_CACHE_MS,
    readCorpus,
    ({ chunks }) => chunks >= SMALL_CORPUS_CHUNKS,
  );
  const counts = new Map<string, { until: number; count: number }>();
  const matches = new Map<string, { until: number; count: number }>();
  const compounds = new Map<string, { until: number; found: readonly string[] }>();
  return {
    corpus,
    async countChunksWith(terms, { chunks }) {
      const now = performance.now();
      const unknown = terms.filter((term) => (counts.get(term)?.until ?? 0) < now);
      if (counts.size + unknown.length > MAX_CACHED_TERMS) counts.clear();
      const found = new Map(await countChunks(db, unknown, chunks));
      // a word that no chunk has may be that of the next document
      for (const [term, count] of found)
        if (count > 0) counts.set(term, { until: now + COUNT_CACHE_MS, count });
      return new Map(
        terms.map((term) => [term, counts.get(term)?.count ?? found.get(term) ?? 0]),
      );
    },
    async countMatches(queries) {
      const now = performance.now();
      const unknown = queries.filter((query) => (matches.get(query)?.until ?? 0) < now);
      const found = new Map(await countMatches(db, unknown));
      if (matches.size + unknown.length > MAX_CACHED_MATCHES) matches.clear();
      for (const [query, count] of found)
        if (count > 0) matches.set(query, { until: now + COUNT_CACHE_MS, count });
      return queries.map((query) => found.get(query) ?? matches.get(query)?.count ?? 0);
    },
    async findCompounds(searches, { chunks, state }) {
      if (searches.length === 0) return [];
      // of a small corpus they are those of all that is there now
      const scope = chunks >= SMALL_CORPUS_CHUNKS ? "" : state;
      const key = [scope, ...searches.map(({ pattern }) => pattern)].join(" ");
      const known = compounds.get(key);
      if (known && known.until >= performance.now()) return known.found;
      const found = await readCompounds(db, searches);
      if (compounds.size >= MAX_CACHED_COMPOUNDS) compounds.clear();
      compounds.set(key, { until: performance.now() + COUNT_CACHE_MS, found });
      return found;
    },
  };
}

/**
 * Caches the result of `read` for `cacheMs`, or only until it is there unless `isLasting`. No
 * failure is cached.
 */
function cached<Value>(
  cacheMs: number,
  read: () => Promise<Value>,
  isLasting: (value: Value) => boolean = () => true,
): () => Promise<Value> {
  let entry: { until: number; value: Promise<Value> } | undefined;
  const forget = () => (entry = undefined);
  return () => {
    if (entry && entry.until >= performance.now()) return entry.value;
    const value = read();
    entry = { until: performance.now() + cacheMs, value };
    value.then((known) => !isLasting(known) && forget(), forget);
    return value;
  };
}

async function readSize(db: Database): Promise<Omit<Corpus, "averageLength">> {
  const [size] = await db.query<Omit<Corpus, "averageLength">>(sql`select
    (select coalesce(sum(total_chunks), 0)::int from documents.chunk_sets
      where state = 'current') as chunks,
    (select count(*)::int from documents.chunk_sets where state = 'current') as documents,
    (select concat_ws(' ', count(*), sum(total_chunks), max(id::text))
      from documents.chunk_sets where state = 'current') as state,
    (select coalesce(array_agg(distinct configuration), '{}')
      from documents.chunk_sets, unnest(text_configs) configuration
      where state = 'current') as configurations`);
  return size ?? { chunks: 0, documents: 0, configurations: [], state: "" };
}

async function readAverageLength(db: Database): Promise<number> {
  const [row] = await db.query<{ average: number }>(
    sql`select avg(search_length)::float8 as average
      from (select search_length from documents.chunks limit ${SAMPLE_CHUNKS}) sample`,
  );
  return Math.max(1, row?.average ?? 1);
}

/**
 * Counts the chunks that contain each term. For the most common terms, PostgreSQL's statistics give
 * the share of chunks; for each other term, the index is searched once.
 */
async function countChunks(
  db: Database,
  terms: readonly string[],
  chunks: number,
): Promise<[string, number][]> {
  if (terms.length === 0) return [];
  const queries = terms.map((term) => anyOf([term]));
  const rows = await db.query<{ count: number }>(
    sql`with common as materialized (
      select e.term, e.share from pg_stats s,
        unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as e (term, share)
      where s.schemaname = 'documents' and s.tablename = 'chunks' and s.attname = 'search'
        and e.term = any (${terms}::text[]))
    select coalesce(
      (select round(share * ${chunks}::float8)::int from common
        where common.term = asked.term limit 1),
      (select count(*)::int from documents.chunks c where c.search @@ asked.query::tsquery)) as count
    from unnest(${terms}::text[], ${queries}::text[])
      with ordinality as asked (term, query, at) order by at`,
    { name: "retrieval-count-terms" },
  );
  return rows.map(({ count }, at) => [terms[at] ?? "", count]);
}

async function countMatches(
  db: Database,
  queries: readonly string[],
): Promise<[string, number][]> {
  if (queries.length === 0) return [];
  const rows = await db.query<{ count: number }>(
    sql`select (select count(*)::int from (select from documents.chunks c
        where c.search @@ asked.query::tsquery limit ${MAX_COUNTED}) m) as count
      from unnest(${queries}::text[]) with ordinality as asked (query, at) order by at`,
    { name: "retrieval-count-matches" },
  );
  return rows.map(({ count }, at) => [queries[at] ?? "", count]);
}

async function readCompounds(
  db: Database,
  searches: readonly CompoundSearch[],
): Promise<string[]> {
  const rows = await db.query<{ lexeme: string }>(
    sql`select t.lexeme
      from unnest(${searches.map(({ query }) => query)}::text[],
        ${searches.map(({ pattern }) => pattern)}::text[]) as asked (query, pattern)
      cross join lateral (select c.search from documents.chunks c
        where c.search @@ asked.query::tsquery limit ${COMPOUND_SAMPLE_CHUNKS}) c
      cross join lateral unnest(c.search) t
      where t.lexeme like asked.pattern and t.positions is not null
      group by t.lexeme order by count(*) desc, t.lexeme limit ${MAX_COMPOUNDS}`,
    { name: "retrieval-compounds" },
  );
  return rows.map(({ lexeme }) => lexeme);
}
