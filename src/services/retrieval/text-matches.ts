import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { searchableText } from "../embedding/contract-words.ts";
import type { Found } from "./nearest-chunks.ts";
import { currentSets, inScope, type Scope } from "./scope.ts";

/** What full-text search must know of the whole store; it changes slowly, so it is kept for a while. */
interface Store {
  readAt: number;
  chunks: number;
  averageLength: number;
  configs: string[];
  /** In how many chunks a word stands. */
  frequencies: Map<string, number>;
}

/** Finds chunks by the words of a question. */
export type MatchText = (query: string, scope: Scope, limit: number) => Promise<Found[]>;

const KEPT_MS = 60_000;
/** A growing store is soon another. */
const KEPT_SMALL_MS = 2_000;
const SMALL = 20_000;
const MOST_WORDS_KEPT = 20_000;
const MOST_WORDS = 64;
/** Chunks that are scored: those with the rarest words of the question. */
const CANDIDATES = 3_000;
/** BM25's usual constants. */
const K1 = 1.2;
const B = 0.75;

/**
 * Full text by BM25 over stemmed words, any of which may match: questions name words that their answer lacks (with all of them required,
 * recall is 2–28 %). PostgreSQL's `ts_rank` of one word is a function of how often it stands in the text, so the count is had back from it.
 * Source: design `reference/retrieval.md` 2.4.
 */
export function createTextMatcher(db: Database): MatchText {
  let kept: Store | undefined;

  const store = async (): Promise<Store> => {
    const fresh = kept && Date.now() - kept.readAt < (kept.chunks < SMALL ? KEPT_SMALL_MS : KEPT_MS);
    if (kept && fresh && kept.frequencies.size < MOST_WORDS_KEPT) return kept;
    const [row] = await db.query<{ chunks: number; averageLength: number | null; configs: string[] | null }>(sql`select
      (select coalesce(sum(total_chunks), 0)::int from documents.chunk_sets where state = 'current') as chunks,
      (select avg(search_length)::float8 from (select search_length from documents.chunks limit 2000) few) as "averageLength",
      (select array_agg(distinct config) from documents.chunk_sets, unnest(text_configs) config where state = 'current') as configs`);
    kept = {
      readAt: Date.now(),
      chunks: row?.chunks ?? 0,
      averageLength: row?.averageLength ?? 1,
      configs: row?.configs ?? [],
      frequencies: new Map(),
    };
    return kept;
  };

  /** Counted up to a quarter of all chunks: what is more frequent tells texts apart no better. */
  const countWords = async ({ frequencies, chunks }: Store, words: readonly string[]) => {
    const unknown = words.filter((word) => !frequencies.has(word));
    if (unknown.length === 0) return;
    const most = Math.max(CANDIDATES * 2, Math.ceil(chunks / 4));
    const rows = await db.query<{ word: string; count: number }>(sql`select word, (select count(*)::int from (
        select from documents.chunks c where c.search @@ quote_literal(word)::tsquery limit ${most}) few) as count
      from unnest(${unknown}::text[]) word`);
    for (const { word, count } of rows) frequencies.set(word, count);
  };

  return async (query, scope, limit) => {
    const known = await store();
    const words = await stems(db, searchableText(query), known.configs);
    await countWords(known, words);
    const rated = words
      .map((word) => ({ word, count: known.frequencies.get(word) ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => one.count - other.count)
      .map(({ word, count }) => ({
        word,
        count,
        weight: Math.log(1 + (Math.max(0, known.chunks - count) + 0.5) / (count + 0.5)),
      }));
    if (rated.length === 0) return [];
    const asked = rarest(rated);
    return db.query<Found>(sql`with words as materialized (
        select quote_literal(word)::tsquery as query, weight from unnest(${rated.map(({ word }) => word)}::text[], ${rated.map(({ weight }) => weight)}::float8[]) w (word, weight)),
      candidates as materialized (
        select c.id, c.search, c.search_length from documents.chunks c join ${currentSets(scope)} on s.id = c.set_id and s.state = 'current'
        where c.search @@ ${asked}::tsquery and ${inScope(scope)} limit ${CANDIDATES * 2}),
      counted as (
        select c.id, w.weight, c.search_length, 1 / (1.6449340668 - 16.449340668 * ts_rank(c.search, w.query)) - 0.5 as times
        from candidates c cross join words w where c.search @@ w.query)
      select id as "chunkId", sum(weight * times * ${K1 + 1}::float8 / (times + ${K1}::float8 * (${1 - B}::float8 + ${B}::float8 * search_length / ${known.averageLength}::float8))) as score
      from counted group by id order by score desc, id limit ${limit}`);
  };
}

/** What the words of the question are in the languages that the store holds. */
async function stems(db: Database, words: string, configs: readonly string[]): Promise<string[]> {
  if (words === "" || configs.length === 0) return [];
  const rows = await db.query<{ word: string }>(sql`select distinct word from unnest(${[...configs]}::text[]) config,
    unnest(tsvector_to_array(to_tsvector(config::regconfig, ${words}))) word order by word limit ${MOST_WORDS}`);
  return rows.map(({ word }) => word);
}

/** Any of the rarest words, as many as there are candidates for; of frequent words alone the two rarest together. */
function rarest(words: readonly { word: string; count: number }[]): string {
  const [first, second] = words;
  if (first && second && first.count > CANDIDATES) return `'${first.word}' & '${second.word}'`;
  let sum = 0;
  const chosen = words.filter(({ count }, n) => {
    sum += count;
    return n === 0 || sum <= CANDIDATES;
  });
  return chosen.map(({ word }) => `'${word}'`).join(" | ");
}
