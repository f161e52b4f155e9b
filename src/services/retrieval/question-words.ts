import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { detectLanguage } from "../../platform/detect-language.ts";
import {
  COMPOUND_JOINTS,
  foldLetters,
  nameTerm,
  neighboursOf,
  stopTerm,
  type Term,
  termsOf,
  variantsOf,
} from "../embedding/contract-terms.ts";
import { textConfigOf } from "../embedding/contract-words.ts";
import { type CompoundSearch, findParts, listSplits, searchesOf } from "./compounds.ts";
import { findSynonyms, type Synonyms } from "./find-synonyms.ts";
import type { Corpus, TermStatistics } from "./term-statistics.ts";
import { anyPhraseOf, type Phrase } from "./ts-query.ts";

/** A word of a question, with the statistics that BM25 needs. */
export interface QuestionWord {
  /**
   * The indexed forms of the word: its stem in each of the languages that are indexed. None: only
   * the name of a document may have it.
   */
  lexemes: readonly string[];
  /** The number of chunks that contain it. */
  count: number;
  /** Its inverse document frequency, less for a part of a compound word. */
  weight: number;
  /** How a name may write it; absent where no name is searched for it. */
  spelt?: readonly string[];
  /** Instead of lexemes: other names for what the question says, each of one or more words. */
  phrases?: readonly Phrase[];
  /** Whether the phrases name a figure, which stands among other numbers. */
  isFigure?: boolean;
}

/** What a question asks for in a full-text search. */
export interface QuestionWords {
  /** In the order of the question; parts of compound words and other names are last. */
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
/** Of the compounds that have a word of the question as a part. */
const COMPOUND_WEIGHT = 0.2;
const MAX_EXPANDED_WORDS = 8;
/** Of a word that stands with a sign where the question has none, or the other way. */
const SIGN_WEIGHT = 0.3;
/** The languages of the names that {@link findSynonyms} knows. */
const SYNONYM_LANGUAGES = ["english", "german"];

/**
 * Divides a question into words, without the stop words of its language. A stop word of another
 * language says something: "die" does in English.
 * @param known the corpus, where it has been read for this question.
 */
export async function readQuestion(
  db: Database,
  statistics: TermStatistics,
  question: string,
  known?: Corpus,
): Promise<QuestionWords> {
  const corpus = known ?? (await statistics.corpus());
  const { chunks, averageLength, documents, configurations } = corpus;
  const averageChunks = Math.max(1, chunks / Math.max(1, documents));
  const { language } = await detectLanguage(question, MIN_LETTERS);
  const config = textConfigOf(language);
  const terms = withoutRepeatedTerms(termsOf(question)).slice(0, MAX_WORDS);
  const words = [...new Set(terms.map(({ word }) => word).filter((word) => word !== ""))];
  const splits = listSplits(words, config).slice(0, MAX_COMPOUNDS);
  const synonyms = findSynonyms(question);
  const forms = await readForms(
    db,
    [
      ...words,
      ...terms.flatMap(({ joined = [] }) => joined),
      ...terms.filter(({ word }) => word === "").flatMap(neighboursOf),
      ...splits.flatMap(({ candidates }) => candidates.flat()),
      ...synonyms.flatMap(({ names }) => names.flatMap(wordsOfName)),
    ].flatMap(variantsOf),
    [...new Set([...configurations, config])],
  );
  const isStopWord = (word: string) => forms.get(word)?.get(config)?.length === 0;
  /** Also as they are, with their accents: an older index has them so. */
  const lexemesOf = (word: string) => [
    ...new Set(
      variantsOf(word).flatMap((variant) =>
        configurations.flatMap((one) =>
          (forms.get(variant)?.get(one) ?? []).flatMap((form) => [foldLetters(form), form]),
        ),
      ),
    ),
  ];
  const asked = terms.flatMap((term) => {
    const { word, joined = [], exact, name } = term;
    const isMeant = word !== "" && !isStopWord(word);
    const named = name === undefined ? [] : [nameTerm(name), nameTerm(name.toUpperCase())];
    const own = [...(isMeant ? lexemesOf(word) : []), ...named];
    return [
      { lexemes: own, share: 1, ...(isMeant && { spelt: speltOf(word) }) },
      ...joined.map((one) => ({ lexemes: lexemesOf(one), share: 1, spelt: speltOf(one) })),
      ...exact.map((one) => ({ lexemes: [one], share: 1 })),
      { lexemes: withSignsOf(term, lexemesOf), share: SIGN_WEIGHT },
    ];
  });
  const compounds = await findCompounds(
    (searches) => statistics.findCompounds(searches, corpus),
    words.filter((word) => !isStopWord(word)),
    config === "simple" ? configurations : [config],
    (word, one) => (forms.get(word)?.get(one) ?? []).map(foldLetters),
  );
  const stops = words.map((word) => ({ lexemes: [stopTerm(word)], share: 1 }));
  const lexemesOfAll = [
    ...[...forms.keys()].flatMap(lexemesOf),
    ...[...asked, ...compounds, ...stops].flatMap(({ lexemes }) => lexemes),
  ];
  const counts = await statistics.countChunksWith([...new Set(lexemesOfAll)], corpus);
  const toWord = ({ lexemes: all, share, spelt }: WeightedLexemes): QuestionWord => {
    const lexemes = all.filter((lexeme) => (counts.get(lexeme) ?? 0) > 0);
    const found = lexemes.reduce((sum, lexeme) => sum + (counts.get(lexeme) ?? 0), 0);
    const count = Math.min(chunks, found);
    return {
      lexemes,
      count,
      weight: share * inverseFrequency(chunks, count),
      ...(spelt !== undefined && { spelt }),
    };
  };
  const isKnown = ({ lexemes, spelt }: QuestionWord) =>
    lexemes.length > 0 || spelt !== undefined;
  const parts = findParts(
    splits,
    (word) => toWord({ lexemes: lexemesOf(word), share: 1 }).count,
  )
    .filter((part) => !words.includes(part))
    .map((part) => ({ lexemes: lexemesOf(part), share: PART_WEIGHT }));
  const meaningful = [...asked, ...parts, ...compounds].map(toWord).filter(isKnown);
  const isIndexed = meaningful.some(({ lexemes }) => lexemes.length > 0);
  const stopWords = isIndexed ? [] : stops.map(toWord).filter(isKnown);
  const others = await weighSynonyms(statistics, chunks, synonyms, (name) =>
    SYNONYM_LANGUAGES.filter((one) => configurations.includes(one)).map((one) =>
      phraseOf(name, (word) => forms.get(word)?.get(one) ?? []),
    ),
  );
  return {
    words: [...withoutRepeats([...meaningful, ...stopWords]), ...others],
    chunks,
    averageLength,
    averageChunks,
  };
}

function wordsOfName(name: string): string[] {
  return termsOf(name).map(({ word }) => word);
}

function phraseOf(name: string, formsOf: (word: string) => readonly string[]): Phrase {
  let at = 0;
  const found = wordsOfName(name).flatMap((word) => {
    const lexemes = formsOf(word).map(foldLetters);
    const place = at;
    at += Math.max(1, lexemes.length);
    return lexemes.map((lexeme, n) => ({ lexeme, at: place + n }));
  });
  const from = found[0]?.at ?? 0;
  return found.map(({ lexeme, at: place }) => ({ lexeme, behind: place - from }));
}

/** Not what is left of "M&A" without its stop word. */
function isDistinct([first, ...others]: Phrase): boolean {
  return others.length > 0 || (first?.lexeme.length ?? 0) > 1;
}

/** Those that some chunk has, as rare as all names of one together. */
async function weighSynonyms(
  statistics: TermStatistics,
  chunks: number,
  synonyms: readonly Synonyms[],
  phrasesOf: (name: string) => Phrase[],
): Promise<QuestionWord[]> {
  const words = synonyms.map(({ names, share, isFigure }) => ({
    share,
    isFigure,
    phrases: names.flatMap(phrasesOf).filter(isDistinct),
  }));
  const known = words.filter(({ phrases }) => phrases.length > 0);
  const counts = await statistics.countMatches(
    known.map(({ phrases }) => anyPhraseOf(phrases)),
  );
  return known.flatMap(({ share, phrases, isFigure }, n) => {
    const count = Math.min(chunks, counts[n] ?? 0);
    if (count === 0) return [];
    const weight = share * inverseFrequency(chunks, count);
    return [{ lexemes: [], phrases, isFigure, count, weight }];
  });
}

/** The compounds that each of the words is the first or the last part of. */
async function findCompounds(
  find: (searches: readonly CompoundSearch[]) => Promise<readonly string[]>,
  words: readonly string[],
  configurations: readonly string[],
  stemsOf: (word: string, configuration: string) => string[],
): Promise<WeightedLexemes[]> {
  const languages = configurations.filter((one) => one in COMPOUND_JOINTS);
  if (languages.length === 0) return [];
  const found = await Promise.all(
    words.slice(0, MAX_EXPANDED_WORDS).map(async (word) => {
      const stems = [...new Set(languages.flatMap((language) => stemsOf(word, language)))];
      const compounds = await find(searchesOf(foldLetters(word), stems));
      const lexemes = compounds.filter((lexeme) => !stems.includes(lexeme));
      return { lexemes, share: COMPOUND_WEIGHT };
    }),
  );
  return found.filter(({ lexemes }) => lexemes.length > 0);
}

/** How rare a word is, as BM25 has it, by the number of chunks that contain it. */
export function inverseFrequency(chunks: number, count: number): number {
  return Math.log(1 + (chunks - count + 0.5) / (count + 0.5));
}

function speltOf(word: string): string[] {
  return variantsOf(word).map(foldLetters);
}

interface WeightedLexemes {
  lexemes: readonly string[];
  share: number;
  spelt?: readonly string[];
}

function withSignsOf(term: Term, lexemesOf: (word: string) => string[]): string[] {
  const near = neighboursOf(term);
  return term.word === "" ? near.flatMap(lexemesOf) : near;
}

function withoutRepeatedTerms(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

/** "setting" and "settings" are one word. */
function withoutRepeats(words: readonly QuestionWord[]): QuestionWord[] {
  const known = new Map<string, QuestionWord>();
  for (const word of words) {
    const key = (word.lexemes.length > 0 ? word.lexemes : (word.spelt ?? []))
      .toSorted()
      .join(" ");
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
