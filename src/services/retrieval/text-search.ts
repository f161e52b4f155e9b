import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { searchableText } from "../embedding/contract-words.ts";
import type { Extent } from "./extent.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { anyOf } from "./ts-query.ts";
import type { Found } from "./vector-search.ts";

/** The terms of a question, with the statistics that BM25 needs. */
export interface QuestionTerms {
  /** The inverse document frequency of each term. */
  rarity: ReadonlyMap<string, number>;
  /** The number of chunks that contain each term. */
  counts: ReadonlyMap<string, number>;
  /** The number of all indexed chunks. */
  chunks: number;
  averageLength: number;
}

interface Candidate {
  id: string;
  /** In words. */
  length: number;
  /** How often it contains each term of the question. */
  frequencies: Record<string, number> | null;
}

/** The number of best matching chunks that get an exact BM25 score. */
const MAX_CANDIDATES = 100;
/**
 * The most matches of the search terms, taken from the rarest term on. The other terms add to the
 * score of a chunk, but do not find chunks.
 */
const MAX_MATCHED_CHUNKS = 5_000;
/**
 * Usual values from Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond".
 */
const K1 = 1.2;
const B = 0.75;

/** Divides a question into terms, stemmed for each of the indexed languages. */
export async function readQuestion(
  db: Database,
  statistics: TermStatistics,
  question: string,
): Promise<QuestionTerms> {
  const { chunks, averageLength, configurations } = await statistics.corpus();
  const rows = await db.query<{ term: string }>(
    sql`select distinct t.lexeme as term
      from unnest(${configurations}::text[]) as configuration,
        unnest(to_tsvector(configuration::regconfig, ${searchableText(question)})) t`,
    { name: "retrieval-terms" },
  );
  const counts = await statistics.countChunksWith(rows.map(({ term }) => term));
  const rarity = new Map(
    [...counts].map(([term, count]) => [
      term,
      Math.log(1 + (chunks - Math.min(count, chunks) + 0.5) / (count + 0.5)),
    ]),
  );
  return { rarity, counts, chunks, averageLength };
}

/**
 * Finds the best chunks by BM25 over stemmed words. The index finds chunks with any of the words
 * and ranks them by a lower bound of their score; the best of them get the exact score.
 */
export async function searchText(
  db: Database,
  wanted: QuestionTerms,
  extent: Extent,
): Promise<Found[]> {
  if (extent.chunks === 0) return [];
  const terms = selectRareTerms(wanted, extent.chunks);
  if (terms.length === 0) return [];
  const queries = terms.map((term) => anyOf([term]));
  const weights = terms.map((term) => wanted.rarity.get(term) ?? 0);
  // not a prepared statement: the best plan depends on the size of the extent
  const candidates = await db.query<Candidate>(
    sql`with hits as (
      select c.id, sum(asked.weight / (1 + ${K1}::float8 * (1 - ${B}::float8
        + ${B}::float8 * c.search_length / ${wanted.averageLength}::float8))) as least
      from unnest(${queries}::text[], ${weights}::float8[]) as asked (query, weight)
      cross join lateral (select c.id, c.search_length from documents.chunks c
        where c.search @@ asked.query::tsquery and ${extent.has(sql`c.set_id`)}) c
      group by c.id)
    select c.id, c.search_length as length, ${frequencies(wanted)} as frequencies
    from (select id from hits order by least desc limit ${MAX_CANDIDATES}) best
    join documents.chunks c on c.id = best.id`,
  );
  return sortByScore(candidates, wanted);
}

/** Scores given chunks by BM25; omits chunks without any of the words. */
export async function judgeByText(
  db: Database,
  wanted: QuestionTerms,
  ids: readonly string[],
): Promise<Found[]> {
  if (ids.length === 0 || wanted.rarity.size === 0) return [];
  const candidates = await db.query<Candidate>(
    sql`select c.id, c.search_length as length, ${frequencies(wanted)} as frequencies
      from documents.chunks c where c.id = any (${ids}::uuid[])`,
    { name: "retrieval-words-of" },
  );
  return sortByScore(candidates, wanted);
}

function frequencies({ rarity }: QuestionTerms) {
  return sql`(select jsonb_object_agg(t.lexeme, cardinality(t.positions)) from unnest(c.search) t
    where t.lexeme = any (${[...rarity.keys()]}::text[]))`;
}

function sortByScore(
  candidates: readonly Candidate[],
  { rarity, averageLength }: QuestionTerms,
): Found[] {
  const scoreOf = ({ length, frequencies: found }: Candidate) =>
    Object.entries(found ?? {}).reduce(
      (sum, [term, times]) =>
        sum +
        ((rarity.get(term) ?? 0) * times * (K1 + 1)) /
          (times + K1 * (1 - B + (B * length) / averageLength)),
      0,
    );
  return candidates
    .map((candidate) => ({ id: candidate.id, score: scoreOf(candidate) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.id.localeCompare(other.id));
}

/**
 * Selects the rarest terms, as long as their expected matches in the searched chunks stay below the
 * limit; at least one.
 */
function selectRareTerms({ counts, chunks }: QuestionTerms, searched: number): string[] {
  const share = Math.min(1, searched / Math.max(1, chunks));
  const indexed = [...counts]
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => one - other);
  let matched = 0;
  return indexed
    .filter(([, count], at) => {
      matched += count * share;
      return at === 0 || matched <= MAX_MATCHED_CHUNKS;
    })
    .map(([term]) => term);
}
