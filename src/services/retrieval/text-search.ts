import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { searchableText } from "../embedding/contract-words.ts";
import { inScope, type Scope } from "./scope.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { anyOf } from "./ts-query.ts";
import type { Found } from "./vector-search.ts";

interface Candidate {
  id: string;
  /** In words. */
  length: number;
  /** How often each term of the question is in it. */
  frequencies: Record<string, number> | null;
}

/** Candidates of the index, which its own rank puts in a rough order. */
const CANDIDATES = 100;
/** Terms that are in more chunks than these find them only where no rarer term is asked for: ranking so many takes too long. */
const MOST_MATCHED = 5_000;
/** Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", usual values. */
const K1 = 1.2;
const B = 0.75;

/**
 * The chunks that say most of what the question says, by BM25 over stemmed words, the best first: of all that have any of its words, and of
 * `others`, found otherwise. A chunk without any of them is left out.
 */
export async function searchText(
  db: Database,
  statistics: TermStatistics,
  question: string,
  scope: Scope,
  others: readonly string[],
): Promise<Found[]> {
  const { chunks, averageLength, configurations } = await statistics.corpus();
  const terms = await termsOf(db, question, configurations);
  if (terms.length === 0 || chunks === 0) return [];
  const counts = await statistics.countChunksWith(terms);
  const query = anyOf(rareEnough(terms, counts));
  const candidates = await db.query<Candidate>(sql`with found as (
      select c.id from documents.chunks c
      join documents.chunk_sets s on s.id = c.set_id and s.state = 'current'
      join documents.documents d on d.id = s.document_id
      where c.search @@ ${query}::tsquery and ${inScope(scope)}
      order by ts_rank(c.search, ${query}::tsquery, 1) desc limit ${CANDIDATES})
    select c.id, c.search_length as length,
      (select jsonb_object_agg(t.lexeme, cardinality(t.positions)) from unnest(c.search) t where t.lexeme = any (${terms}::text[])) as frequencies
    from documents.chunks c where c.id in (select id from found union select unnest(${others}::uuid[]))`);
  const scoreOf = ({ length, frequencies }: Candidate) =>
    Object.entries(frequencies ?? {}).reduce((sum, [term, times]) => {
      const count = counts.get(term) ?? 0;
      const rarity = Math.log(1 + (chunks - Math.min(count, chunks) + 0.5) / (count + 0.5));
      return sum + (rarity * times * (K1 + 1)) / (times + K1 * (1 - B + (B * length) / averageLength));
    }, 0);
  return candidates
    .map((candidate) => ({ id: candidate.id, score: scoreOf(candidate) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.id.localeCompare(other.id));
}

/** Its words as each of the languages stems them. */
async function termsOf(db: Database, question: string, configurations: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ term: string }>(sql`select distinct t.lexeme as term
    from unnest(${configurations}::text[]) as configuration, unnest(to_tsvector(configuration::regconfig, ${searchableText(question)})) t`);
  return rows.map(({ term }) => term);
}

/** The rarest ones, as long as together they are not in too many chunks; at least one. */
function rareEnough(terms: readonly string[], counts: ReadonlyMap<string, number>): string[] {
  const byRarity = terms.toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
  let matched = 0;
  return byRarity.filter((term, at) => {
    matched += counts.get(term) ?? 0;
    return at === 0 || matched <= MOST_MATCHED;
  });
}
