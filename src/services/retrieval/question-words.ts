import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { detectLanguage } from "../../platform/detect-language.ts";
import { textConfigOf, wordsOf } from "../embedding/contract-words.ts";
import { findParts, listSplits } from "./compounds.ts";
import type { TermStatistics } from "./term-statistics.ts";

/** A word of a question, with the statistics that BM25 needs. */
export interface QuestionWord {
  /** The indexed forms of the word: its stem in each of the languages that are indexed. */
  lexemes: readonly string[];
  /** The number of chunks that contain it. */
  count: number;
  /** Its inverse document frequency, less for a part of a compound word. */
  weight: number;
}

/** What a question asks for in a full-text search. */
export interface QuestionWords {
  /** In the order of the question; parts of compound words are last. */
  words: readonly QuestionWord[];
  /** The number of all indexed chunks. */
  chunks: number;
  /** The average length of a chunk, in words. */
  averageLength: number;
  /** The average number of chunks of a document. */
  averageChunks: number;
}

/** The language of a shorter question is unknown, and its stop words are searched. */
const MIN_LETTERS = 10;
const MAX_WORDS = 400;
const MAX_COMPOUNDS = 5;
/** Chosen, as all weights of the text search, by the half for work in docs/retrieval.md. */
const PART_WEIGHT = 0.7;

/**
 * Divides a question into words, without the stop words of its language. A stop word of another
 * language says something: "die" does in English.
 */
export async function readQuestion(
  db: Database,
  statistics: TermStatistics,
  question: string,
): Promise<QuestionWords> {
  const corpus = await statistics.corpus();
  const { chunks, averageLength, documents, configurations } = corpus;
  const averageChunks = Math.max(1, chunks / Math.max(1, documents));
  const { language } = await detectLanguage(question, MIN_LETTERS);
  const config = textConfigOf(language);
  const words = [...new Set(wordsOf(question))].slice(0, MAX_WORDS);
  const splits = listSplits(words, config).slice(0, MAX_COMPOUNDS);
  const forms = await readForms(
    db,
    [...words, ...splits.flatMap(({ candidates }) => candidates.flat())],
    [...new Set([...configurations, config])],
  );
  const isStopWord = (word: string) => forms.get(word)?.get(config)?.length === 0;
  const meaningful = words.filter((word) => !isStopWord(word));
  const lexemesOf = (word: string) => [
    ...new Set(configurations.flatMap((one) => forms.get(word)?.get(one) ?? [])),
  ];
  const counts = await statistics.countChunksWith([
    ...new Set([...forms.keys()].flatMap(lexemesOf)),
  ]);
  const toWord = (word: string, share: number): QuestionWord => {
    const lexemes = lexemesOf(word).filter((lexeme) => (counts.get(lexeme) ?? 0) > 0);
    const found = lexemes.reduce((sum, lexeme) => sum + (counts.get(lexeme) ?? 0), 0);
    const count = Math.min(chunks, found);
    const weight = share * Math.log(1 + (chunks - count + 0.5) / (count + 0.5));
    return { lexemes, count, weight };
  };
  const whole = (meaningful.length > 0 ? meaningful : words).map((word) => toWord(word, 1));
  const parts = findParts(splits, (word) => toWord(word, 1).count)
    .filter((part) => !words.includes(part))
    .map((part) => toWord(part, PART_WEIGHT));
  const known = [...whole, ...parts].filter(({ lexemes }) => lexemes.length > 0);
  return { words: withoutRepeats(known), chunks, averageLength, averageChunks };
}

/** "setting" and "settings" are one word. */
function withoutRepeats(words: readonly QuestionWord[]): QuestionWord[] {
  const known = new Map<string, QuestionWord>();
  for (const word of words) {
    const key = word.lexemes.toSorted().join(" ");
    if (!known.has(key)) known.set(key, word);
  }
  return [...known.values()];
}

/** Returns the lexemes of each word in each full-text configuration; a stop word has none. */
async function readForms(
  db: Database,
  words: readonly string[],
  configurations: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string[]>>> {
  const rows = await db.query<{ word: string; configuration: string; lexemes: string[] }>(
    sql`select word, configuration,
        tsvector_to_array(to_tsvector(configuration::regconfig, word)) as lexemes
      from unnest(${[...new Set(words)]}::text[]) word,
        unnest(${configurations}::text[]) configuration`,
    { name: "retrieval-forms" },
  );
  const forms = new Map<string, Map<string, string[]>>();
  for (const { word, configuration, lexemes } of rows)
    forms.set(word, (forms.get(word) ?? new Map()).set(configuration, lexemes));
  return forms;
}
