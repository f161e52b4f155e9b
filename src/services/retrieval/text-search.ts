import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { searchableText } from "../embedding/contract-words.ts";
import type { Extent } from "./extent.ts";
import type { TermStatistics } from "./term-statistics.ts";
import { anyOf } from "./ts-query.ts";
import type { Found } from "./vector-search.ts";

/** What a question asks for, in words. */
export interface Wanted {
  /** How much each of its terms says: the rarer, the more. */
  rarity: ReadonlyMap<string, number>;
  /** In how many chunks each is. */
  counts: ReadonlyMap<string, number>;
  /** Of all that is indexed. */
  chunks: number;
  averageLength: number;
}

interface Candidate {
  id: string;
  /** In words. */
  length: number;
  /** How often each term of the question is in it. */
  frequencies: Record<string, number> | null;
}

/** Chunks whose words are counted, of those that have most of what is asked. */
const CANDIDATES = 100;
/**
 * Chunks in which terms are looked up, the rarest terms first: the others count where they stand,
 * but find nothing by themselves.
 */
const MAX_MATCHED = 5_000;
/**
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", usual
 * values.
 */
const K1 = 1.2;
const B = 0.75;

/** Takes a question apart into its words, as each of the indexed languages stems them. */
export async function readQuestion(
  db: Database,
  statistics: TermStatistics,
  question: string,
): Promise<Wanted> {
  const { chunks, averageLength, configurations } = await statistics.corpus();
  const rows = await db.query<{ term: string }>(
    sql`select distinct t.lexeme as term
      from unnest(${configurations}::text[]) as configuration, unnest(to_tsvector(configuration::regconfig, ${searchableText(question)})) t`,
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
 * The chunks that say most of what is wanted, by BM25 over stemmed words, the best first. The index
 * gives those that have any of the words; how often they have each is counted for the best of them,
 * as far as that can be told before.
 */
export async function searchText(db: Database, wanted: Wanted, extent: Extent): Promise<Found[]> {
  if (extent.chunks === 0) return [];
  const terms = rareEnough(wanted, extent.chunks);
  if (terms.length === 0) return [];
  const queries = terms.map((term) => anyOf([term]));
  const weights = terms.map((term) => wanted.rarity.get(term) ?? 0);
  // planned anew each time: how much the extent holds decides which indexes help
  const candidates = await db.query<Candidate>(
    sql`with hits as (
      select c.id, sum(asked.weight / (1 + ${K1}::float8 * (1 - ${B}::float8 + ${B}::float8 * c.search_length / ${wanted.averageLength}::float8))) as least
      from unnest(${queries}::text[], ${weights}::float8[]) as asked (query, weight)
      cross join lateral (select c.id, c.search_length from documents.chunks c
        where c.search @@ asked.query::tsquery and ${extent.has(sql`c.set_id`)}) c
      group by c.id)
    select c.id, c.search_length as length, ${frequencies(wanted)} as frequencies
    from (select id from hits order by least desc limit ${CANDIDATES}) best join documents.chunks c on c.id = best.id`,
  );
  return inOrder(candidates, wanted);
}

/**
 * What chunks that were found otherwise say of it; those that have none of its words are left out.
 */
export async function judgeByText(
  db: Database,
  wanted: Wanted,
  ids: readonly string[],
): Promise<Found[]> {
  if (ids.length === 0 || wanted.rarity.size === 0) return [];
  const candidates = await db.query<Candidate>(
    sql`select c.id, c.search_length as length, ${frequencies(wanted)} as frequencies from documents.chunks c where c.id = any (${ids}::uuid[])`,
    { name: "retrieval-words-of" },
  );
  return inOrder(candidates, wanted);
}

function frequencies({ rarity }: Wanted) {
  return sql`(select jsonb_object_agg(t.lexeme, cardinality(t.positions)) from unnest(c.search) t where t.lexeme = any (${[...rarity.keys()]}::text[]))`;
}

function inOrder(candidates: readonly Candidate[], { rarity, averageLength }: Wanted): Found[] {
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
 * The rarest terms, as long as together they are not in too many of the chunks that are searched;
 * at least one that is there.
 */
function rareEnough({ counts, chunks }: Wanted, searched: number): string[] {
  const share = Math.min(1, searched / Math.max(1, chunks));
  const there = [...counts]
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => one - other);
  let matched = 0;
  return there
    .filter(([, count], at) => {
      matched += count * share;
      return at === 0 || matched <= MAX_MATCHED;
    })
    .map(([term]) => term);
}
