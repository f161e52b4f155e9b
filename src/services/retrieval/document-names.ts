import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { Extent } from "./extent.ts";
import {
  inverseFrequency,
  type QuestionWord,
  type QuestionWords,
} from "./question-words.ts";
import { anyOf, beginsWith } from "./ts-query.ts";

/** A question whose words are weighed by the names of documents, too. */
export interface NamingQuestion extends QuestionWords {
  /** By chunk set: the places of those words that the name of the document has. */
  named: ReadonlyMap<string, ReadonlySet<number>>;
}

/** A word in the names of more documents only separates those that rarer words name. */
export const MAX_NAMED_SETS = 200;
/** Of a question, so many words are looked up. */
const MAX_NAMING_WORDS = 64;
/** A shorter word begins too many others. */
const MIN_BEGINNING_CHARACTERS = 5;

interface NamedWord {
  /** From 1. */
  word: number;
  setId: string;
  /** Of the document; 0 for a frequent word. */
  chunks: number;
}

/**
 * Finds the documents whose names have words of a question, such as a company and a year. Such a
 * word counts as if each chunk of the document had it, so the other words choose among the chunks.
 * @returns the question without words that neither a chunk nor a name has.
 */
export async function findNames(
  db: Database,
  asked: QuestionWords,
  extent: Extent,
): Promise<NamingQuestion> {
  const rows = await readNames(db, asked.words, extent);
  const chunksOf = new Map<number, number>();
  for (const { word, chunks } of rows)
    chunksOf.set(word - 1, (chunksOf.get(word - 1) ?? 0) + chunks);
  const words: QuestionWord[] = [];
  const places = new Map<number, number>();
  for (const [at, word] of asked.words.entries()) {
    const chunks = chunksOf.get(at);
    if (chunks === undefined && word.lexemes.length === 0 && !word.phrases) continue;
    places.set(at, words.length);
    words.push(chunks === undefined ? word : weighed(asked, word, chunks));
  }
  const named = new Map<string, Set<number>>();
  for (const { word, setId } of rows) {
    const place = places.get(word - 1);
    if (place === undefined) continue;
    named.set(setId, (named.get(setId) ?? new Set()).add(place));
  }
  return { ...asked, words, named };
}

async function readNames(
  db: Database,
  words: readonly QuestionWord[],
  extent: Extent,
): Promise<NamedWord[]> {
  const queries = words.slice(0, MAX_NAMING_WORDS).map((_, at) => queryOf(words, at));
  if (queries.every((query) => query === "")) return [];
  return db.query<NamedWord>(
    sql`with asked as materialized (
      select word::int, query::tsquery as query
      from unnest(${queries}::text[]) with ordinality as a (query, word) where query <> ''),
    found as materialized (
      select asked.word, named.* from asked cross join lateral (
        select d.id, s.id as set_id, s.total_chunks from documents.documents d
        join documents.chunk_sets s on s.document_id = d.id and s.state = 'current'
        where d.name_words @@ asked.query and ${extent.has(sql`s.id`)}
        limit ${MAX_NAMED_SETS + 1}) named),
    frequent as (
      select word from found group by word having count(*) > ${MAX_NAMED_SETS}),
    rare as materialized (
      select * from found where word not in (select word from frequent))
    select word, set_id as "setId", total_chunks as chunks from rare
    union all select asked.word, named.set_id, 0 from frequent
      join asked on asked.word = frequent.word
      cross join (select distinct id, set_id from rare) named
      join documents.documents d on d.id = named.id and d.name_words @@ asked.query`,
  );
}

/** As a name may have the word: so, at the beginning of a longer one, or in one with another. */
function queryOf(words: readonly QuestionWord[], at: number): string {
  const spelt = words[at]?.spelt ?? [];
  const [first] = spelt;
  if (first === undefined) return "";
  const [before] = words[at - 1]?.spelt ?? [];
  const [after] = words[at + 1]?.spelt ?? [];
  const beginnings = [
    ...spelt,
    ...(before === undefined ? [] : [before + first]),
    ...(after === undefined ? [] : [first + after]),
  ].filter((one) => one.length >= MIN_BEGINNING_CHARACTERS && /^\p{L}+$/u.test(one));
  return [anyOf(spelt), ...beginnings.map(beginsWith)].join(" | ");
}

/** As rare as if all chunks of the documents that it names had it. */
function weighed(
  { chunks: all }: QuestionWords,
  word: QuestionWord,
  chunks: number,
): QuestionWord {
  const count = Math.min(all, Math.max(word.count, chunks));
  return { ...word, weight: inverseFrequency(all, count) };
}
