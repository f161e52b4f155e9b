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
const COUNT_KEPT_MS = 300_000;
const MOST_KEPT = 50_000;
/** Chunks whose lengths stand for all. */
const SAMPLE = 10_000;

export function createTermStatistics(db: Database): TermStatistics {
  let kept: { until: number; corpus: Promise<Corpus> } | undefined;
  const counts = new Map<string, { until: number; count: number }>();
  return {
    corpus() {
      if (!kept || kept.until < performance.now()) {
        const corpus = readCorpus(db);
        kept = { until: performance.now() + CORPUS_KEPT_MS, corpus };
        corpus.catch(() => (kept = undefined));
      }
      return kept.corpus;
    },
    async countChunksWith(terms) {
      const now = performance.now();
      const unknown = terms.filter((term) => (counts.get(term)?.until ?? 0) < now);
      if (counts.size + unknown.length > MOST_KEPT) counts.clear();
      const { chunks } = await this.corpus();
      for (const [term, count] of await countChunks(db, unknown, chunks)) counts.set(term, { until: now + COUNT_KEPT_MS, count });
      return new Map(terms.map((term) => [term, counts.get(term)?.count ?? 0]));
    },
  };
}

async function readCorpus(db: Database): Promise<Corpus> {
  const [corpus] = await db.query<Corpus>(sql`select
    (select coalesce(sum(total_chunks), 0)::int from documents.chunk_sets where state = 'current') as chunks,
    (select coalesce(avg(search_length), 1)::float8 from (select search_length from documents.chunks limit ${SAMPLE}) sample) as "averageLength",
    (select coalesce(array_agg(distinct configuration), '{}') from documents.chunk_sets, unnest(text_configs) configuration where state = 'current')
      as configurations`);
  if (!corpus) throw new Error("a select without a table returned no row");
  return { ...corpus, averageLength: Math.max(1, corpus.averageLength) };
}

/**
 * Of the commonest terms the share of chunks is among PostgreSQL's own statistics, where it keeps them; of the others one look into the
 * index for each.
 */
async function countChunks(db: Database, terms: readonly string[], chunks: number): Promise<[string, number][]> {
  if (terms.length === 0) return [];
  const queries = terms.map((term) => anyOf([term]));
  const rows = await db.query<{ count: number }>(
    sql`with common as (
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
