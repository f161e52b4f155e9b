import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { findNames, type NamingQuestion } from "./document-names.ts";
import type { Extent } from "./extent.ts";
import type { QuestionWord, QuestionWords } from "./question-words.ts";
import {
  CHUNK_BM25,
  DOCUMENT_BM25,
  DOCUMENT_WEIGHT,
  NAMED_SCORE,
  scoreMatch,
  type TextMatch,
} from "./score-words.ts";
import { anyOf, anyPhraseOf } from "./ts-query.ts";
import type { Found } from "./vector-search.ts";

export interface TextSearch {
  found: Found[];
  /** The scores of the documents that contain the best chunks, by chunk set. */
  documentScores: ReadonlyMap<string, number>;
  /** The question, with the words that the names of documents have. */
  wanted: NamingQuestion;
}

/**
 * The most matches of the search terms, taken from the rarest word on. The other words add to the
 * score of a chunk, but do not find chunks.
 */
const MAX_MATCHED_CHUNKS = 5_000;

type ScoredMatch = TextMatch & { documentScore: number };

/**
 * Finds the best chunks by their words. The index finds chunks with any of the words and ranks them
 * by a lower bound of their score; the best of them get the exact score.
 */
export async function searchText(
  db: Database,
  asked: QuestionWords,
  extent: Extent,
): Promise<TextSearch> {
  const wanted = await findNames(db, asked, extent);
  const words = selectRareWords(wanted, extent.chunks);
  if (words.length === 0 && wanted.named.size === 0)
    return { found: [], documentScores: new Map(), wanted };
  const matches = await differentCandidates(
    (limit) => matchWords(db, wanted, words, extent, limit),
    ({ length, positions }) => `${length} ${JSON.stringify(positions)}`,
  );
  return {
    found: sortByScore(matches, wanted, ({ documentScore }) => documentScore),
    documentScores: new Map(
      matches.map(({ setId, documentScore }) => [setId, documentScore]),
    ),
    wanted,
  };
}

/** Returns the chunks with the highest lower bounds of their scores, the highest first. */
async function matchWords(
  db: Database,
  wanted: NamingQuestion,
  words: readonly { word: QuestionWord; at: number }[],
  extent: Extent,
  limit: number,
): Promise<ScoredMatch[]> {
  const queries = words.map(({ word }) =>
    word.phrases ? anyPhraseOf(word.phrases) : anyOf(word.lexemes),
  );
  const weights = words.map(({ word }) => word.weight);
  const numbers = words.map(({ at }) => at);
  const chunkPart = bm25Of(
    CHUNK_BM25,
    sql`1`,
    sql`hits.search_length`,
    wanted.averageLength,
  );
  const documentPart = bm25Of(
    DOCUMENT_BM25,
    sql`hit.chunks`,
    sql`s.total_chunks`,
    wanted.averageChunks,
  );
  const matched = sql`select asked.word, asked.weight, c.id, c.set_id, c.search_length
      from unnest(${queries}::text[], ${weights}::float8[], ${numbers}::int[])
        as asked (query, weight, word)
      cross join lateral (select c.id, c.set_id, c.search_length from documents.chunks c
        where c.search @@ asked.query::tsquery and ${extent.has(sql`c.set_id`)}) c`;
  const nameScore =
    wanted.named.size === 0
      ? sql`0`
      : sql`coalesce((select n.score from names n where n.set_id = hit.set_id), 0)`;
  // not a prepared statement: the best plan depends on the size of the extent
  return db.query<ScoredMatch>(
    sql`with ${hitsOf(wanted, matched)},
    sets as (
      select hit.set_id, sum(hit.weight * ${documentPart}) as score, ${nameScore} as name_score
      from (select set_id, word, weight, count(*) as chunks from hits
        group by set_id, word, weight) hit
      join documents.chunk_sets s on s.id = hit.set_id group by hit.set_id),
    best as (
      select hits.id, sets.score, sum(hits.weight * ${chunkPart})
        + ${DOCUMENT_WEIGHT}::float8 * sets.score + sets.name_score as bound
      from hits join sets on sets.set_id = hits.set_id
      group by hits.id, sets.score, sets.name_score
      order by bound desc limit ${limit})
    select c.id, c.set_id as "setId", c.search_length as length,
      ${positions(wanted)} as positions, ${numbersOf(wanted)} as numbers, best.score as "documentScore"
    from best join documents.chunks c on c.id = best.id order by best.bound desc`,
  );
}

/**
 * Returns the words in chunks as the SQL query `hits`. Where the name of a document has a word, its
 * chunks do not count the word; its first chunk is there for the name alone.
 */
function hitsOf({ words, named }: NamingQuestion, matched: Sql): Sql {
  if (named.size === 0) return sql`hits as materialized (${matched})`;
  const rows = [...named].flatMap(([setId, places]) =>
    [...places].map((word) => ({
      setId,
      word,
      score: (words[word]?.weight ?? 0) * NAMED_SCORE,
    })),
  );
  return sql`named as materialized (
      select * from unnest(${rows.map(({ setId }) => setId)}::uuid[],
        ${rows.map(({ word }) => word)}::int[], ${rows.map(({ score }) => score)}::float8[])
        as n (set_id, word, score)),
    names as materialized (select set_id, sum(score) as score from named group by set_id),
    hits as materialized (
      select m.word, case when n.word is null then m.weight else 0 end as weight,
        m.id, m.set_id, m.search_length
      from (${matched}) m left join named n on n.set_id = m.set_id and n.word = m.word
      union all select -1, 0, c.id, c.set_id, c.search_length
      from names join documents.chunks c on c.set_id = names.set_id and c.chunk_index = 0)`;
}

/** Scores given chunks by their words; omits chunks without any of the words. */
export async function judgeByText(
  db: Database,
  ids: readonly string[],
  { wanted, documentScores }: Omit<TextSearch, "found">,
): Promise<Found[]> {
  if (ids.length === 0 || wanted.words.length === 0) return [];
  const matches = await db.query<TextMatch>(
    sql`select c.id, c.set_id as "setId", c.search_length as length,
        ${positions(wanted)} as positions, ${numbersOf(wanted)} as numbers
      from documents.chunks c where c.id = any (${ids}::uuid[])`,
  );
  return sortByScore(matches, wanted, ({ setId }) => documentScores.get(setId) ?? 0);
}

function bm25Of(
  { k1, b }: typeof CHUNK_BM25,
  times: Sql,
  length: Sql,
  average: number,
): Sql {
  return sql`${times} * ${k1 + 1}::float8 / (${times}
    + ${k1}::float8 * (${1 - b}::float8 + ${b}::float8 * ${length} / ${average}::float8))`;
}

function numbersOf({ words }: QuestionWords): Sql {
  return words.some(({ phrases }) => phrases)
    ? sql`(select (count(*) filter (where t.lexeme ~ '^[0-9]'))::float8 / count(*)
        from unnest(c.search) t)`
    : sql`null::float8`;
}

function positions({ words }: QuestionWords): Sql {
  const lexemes = [
    ...new Set(
      words.flatMap(({ lexemes: own, phrases = [] }) => [
        ...own,
        ...phrases.flat().map(({ lexeme }) => lexeme),
      ]),
    ),
  ];
  return sql`(select jsonb_object_agg(t.lexeme, to_jsonb(t.positions)) from unnest(c.search) t
    where t.lexeme = any (${lexemes}::text[]))`;
}

function sortByScore<Match extends TextMatch>(
  matches: readonly Match[],
  wanted: NamingQuestion,
  documentScoreOf: (match: Match) => number,
): Found[] {
  return matches
    .map((match) => ({
      id: match.id,
      score: scoreMatch(
        wanted,
        match,
        documentScoreOf(match),
        wanted.named.get(match.setId),
      ),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.id.localeCompare(other.id));
}

/**
 * Selects the rarest words, as long as their expected matches in the searched chunks stay below the
 * limit; at least one.
 */
function selectRareWords(
  { words, chunks }: QuestionWords,
  searched: number,
): { word: QuestionWord; at: number }[] {
  const share = Math.min(1, searched / Math.max(1, chunks));
  let matched = 0;
  return words
    .map((word, at) => ({ word, at }))
    .filter(({ word }) => word.lexemes.length > 0 || word.phrases)
    .toSorted((one, other) => one.word.count - other.word.count)
    .filter(({ word }, rank) => {
      matched += word.count * share;
      return rank === 0 || matched <= MAX_MATCHED_CHUNKS;
    });
}

/** A search of `hybrid` considers so many candidates. */
const MAX_CANDIDATES = 100;
/** When fewer of them differ, copies may displace others: the search is repeated with more. */
const MIN_DIFFERENT = MAX_CANDIDATES / 2;
const MAX_WITH_COPIES = 1_000;

/**
 * Returns the best candidates of a search, with more of them where many are copies of each other.
 * All copies are kept: {@link readBest} compares their texts.
 * @param keyOf what candidates with the same text have in common; others seldom have the same.
 */
export async function differentCandidates<Candidate>(
  search: (limit: number) => Promise<Candidate[]>,
  keyOf: (candidate: Candidate) => string | number,
): Promise<Candidate[]> {
  const best = await search(MAX_CANDIDATES);
  const differing = new Set(best.map(keyOf)).size;
  if (best.length < MAX_CANDIDATES || differing >= MIN_DIFFERENT) return best;
  const more = await search(MAX_WITH_COPIES);
  const known = new Set<string | number>();
  const end = more.findIndex(
    (candidate) => known.add(keyOf(candidate)).size > MAX_CANDIDATES,
  );
  return end < 0 ? more : more.slice(0, end);
}
