import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { anyOf } from "./ts-query.ts";

export interface Corpus {
  chunks: number;
  /** Of a chunk, in words. */
  averageLength: number;
  /** Of full-text search, with which chunks were indexed. */
  configurations: readonly string[];
}

/** How rare words are in all that is indexed. They change slowly, so they are kept a while. */
export interface TermStatistics {
  corpus(): Promise<Corpus>;
  countChunksWith(terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A document in a new language is found by its words after this long. */
const CORPUS_KEPT_MS = 3_000;
/** What takes longer to find out and changes less: lengths, and how many chunks have a term. */
const COUNT_KEPT_MS = 300_000;
const MAX_CACHED = 50_000;
/** Chunks whose lengths stand for all. */
const SAMPLE = 10_000;

export function createTermStatistics(db: Database): TermStatistics {
  const keptLength = keep(COUNT_KEPT_MS, () => readAverageLength(db));
  const corpus = keep(CORPUS_KEPT_MS, async () => {
    const size = await readSize(db);
    // few are read quickly, and each new one changes much
    return {
      ...size,
      averageLength: await (size.chunks < SAMPLE ? readAverageLength(db) : keptLength()),
    };
  });
  const counts = new Map<string, { until: number; count: number }>();
  return {
    corpus,
    async countChunksWith(terms) {
      const now = performance.now();
      const unknown = terms.filter((term) => (counts.get(term)?.until ?? 0) < now);
      if (counts.size + unknown.length > MAX_CACHED) counts.clear();
      const { chunks } = await corpus();
      for (const [term, count] of await countChunks(db, unknown, chunks))
        counts.set(term, { until: now + COUNT_KEPT_MS, count });
      return new Map(terms.map((term) => [term, counts.get(term)?.count ?? 0]));
    },
  };
}

/** Asks again when what is known is older than this; what fails is not kept. */
function keep<Known>(forMs: number, read: () => Promise<Known>): () => Promise<Known> {
  let kept: { until: number; known: Promise<Known> } | undefined;
  return () => {
    if (kept && kept.until >= performance.now()) return kept.known;
    const known = read();
    kept = { until: performance.now() + forMs, known };
    known.catch(() => (kept = undefined));
    return known;
  };
}

async function readSize(db: Database): Promise<Omit<Corpus, "averageLength">> {
  const [size] = await db.query<Omit<Corpus, "averageLength">>(sql`select
    (select coalesce(sum(total_chunks), 0)::int from documents.chunk_sets where state = 'current') as chunks,
    (select coalesce(array_agg(distinct configuration), '{}') from documents.chunk_sets, unnest(text_configs) configuration where state = 'current')
      as configurations`);
  return size ?? { chunks: 0, configurations: [] };
}

async function readAverageLength(db: Database): Promise<number> {
  const [row] = await db.query<{ average: number }>(
    sql`select avg(search_length)::float8 as average from (select search_length from documents.chunks limit ${SAMPLE}) sample`,
  );
  return Math.max(1, row?.average ?? 1);
}

/**
 * Of the commonest terms the share of chunks is among PostgreSQL's own statistics, where it keeps
 * them; of the others one look into the index for each.
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
      select e.term, e.share from pg_stats s, unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as e (term, share)
      where s.schemaname = 'documents' and s.tablename = 'chunks' and s.attname = 'search' and e.term = any (${terms}::text[]))
    select coalesce(
      (select round(share * ${chunks}::float8)::int from common where common.term = asked.term limit 1),
      (select count(*)::int from documents.chunks c where c.search @@ asked.query::tsquery)) as count
    from unnest(${terms}::text[], ${queries}::text[]) with ordinality as asked (term, query, at) order by at`,
    { name: "retrieval-count-terms" },
  );
  return rows.map(({ count }, at) => [terms[at] ?? "", count]);
}
