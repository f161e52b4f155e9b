import type { QuestionWord, QuestionWords } from "./question-words.ts";
import type { Phrase } from "./ts-query.ts";

/** A chunk, as the full-text search reads it. */
export interface TextMatch {
  id: string;
  setId: string;
  /** In words. */
  length: number;
  /** Where it contains each lexeme of the question, counted in words. */
  positions: Record<string, number[]> | null;
  /** The share of numbers among its lexemes, where the question asks for figures. */
  numbers?: number | null;
}

/**
 * The parameters of BM25. `k1`: how long repetitions of a word add to a score. `b`: how much more
 * often a long text must repeat a word for the same score.
 */
export const CHUNK_BM25 = { k1: 2, b: 0.5 };
/** The length of a document is its number of chunks, and a word counts once in each. */
export const DOCUMENT_BM25 = { k1: 1.2, b: 0.75 };
/** How much the document of a chunk adds to the score of the chunk. */
export const DOCUMENT_WEIGHT = 0.5;
/** The headings of a chunk are the first words of what is indexed. */
const LEAD_WORDS = 10;
/** How many more times one of these words counts. */
const LEAD_TIMES = 1;
/** The title of a statement may come behind the heading before it and the name of a company. */
const TITLE_WORDS = 20;
const TITLE_TIMES = 3;
/** How many more times the name of a figure counts among nothing but numbers. */
const NUMBERS_TIMES = 8;
/** The part of the score that a chunk with none of the other words would lose. */
const COVERAGE_WEIGHT = 0.15;
const PROXIMITY_WEIGHT = 0.1;
const MAX_DISTANCE = 8;
/** What a word in the name of its document adds, times its weight. In a text, it adds up to 3. */
export const NAMED_SCORE = 4;

/**
 * Scores a chunk by BM25 and by what BM25 does not know: the share of the question's words that it
 * contains, which of them are in its headings, how near to each other words stand that are
 * neighbours in the question, how well its document matches, and which words the name of its
 * document has: those count the same in each of its chunks. The constants are chosen by the
 * half for work in docs/retrieval.md; around them the figures are flat.
 */
export function scoreMatch(
  { words, averageLength }: QuestionWords,
  { length, positions, numbers }: TextMatch,
  documentScore: number,
  named: ReadonlySet<number> = new Set(),
): number {
  const { k1, b } = CHUNK_BM25;
  const norm = k1 * (1 - b + (b * length) / averageLength);
  const saturate = (times: number) => (times * (k1 + 1)) / (times + norm);
  /** Of another name: a figure is where numbers are, and a statement where its title is. */
  const nameScore = (first: number, others: number, isFigure = false) =>
    (isFigure ? 1 + NUMBERS_TIMES * (numbers ?? 0) : 1) *
    saturate(1 + others + (first <= TITLE_WORDS ? TITLE_TIMES : 0));
  const places = words.map(({ lexemes, phrases }, at) => {
    if (named.has(at)) return [];
    return phrases
      ? placesOfPhrases(phrases, positions ?? {})
      : placesOf(lexemes, positions ?? {});
  });
  let score = 0;
  let covered = 0;
  let total = 0;
  for (const [at, { weight, phrases, isFigure }] of words.entries()) {
    const [first, ...others] = places[at] ?? [];
    // another name is not asked for beside the words of the question
    if (!phrases) total += weight;
    if (named.has(at)) {
      covered += weight;
      score += weight * NAMED_SCORE;
      continue;
    }
    if (first === undefined) continue;
    if (!phrases) covered += weight;
    if (phrases) score += weight * nameScore(first, others.length, isFigure);
    else {
      const lead = first <= LEAD_WORDS ? LEAD_TIMES : 0;
      score += weight * saturate(1 + others.length + lead);
    }
  }
  if (score === 0) return 0;
  if (total > 0) score *= 1 - COVERAGE_WEIGHT * (1 - covered / total);
  for (const [at, next] of words.slice(1).entries()) {
    if (next.phrases) break;
    const nearness = nearnessOf(places[at] ?? [], places[at + 1] ?? []);
    const weight = Math.min(words[at]?.weight ?? 0, next.weight);
    score += PROXIMITY_WEIGHT * weight * saturate(nearness);
  }
  return score + DOCUMENT_WEIGHT * documentScore;
}

/** Of the forms of a word, those of the language of the chunk are most frequent. */
function placesOf(
  lexemes: QuestionWord["lexemes"],
  positions: Record<string, number[]>,
): readonly number[] {
  let most: readonly number[] = [];
  for (const lexeme of lexemes) {
    // "constructor" is a lexeme, too
    const places = Object.hasOwn(positions, lexeme) ? (positions[lexeme] ?? []) : [];
    if (places.length > most.length) most = places;
  }
  return most;
}

/** Where the most frequent of the phrases begins. */
function placesOfPhrases(
  phrases: readonly Phrase[],
  positions: Record<string, number[]>,
): readonly number[] {
  let most: readonly number[] = [];
  for (const [first, ...others] of phrases) {
    const begins = placesOf(first ? [first.lexeme] : [], positions);
    const places = begins.filter((place) =>
      others.every(({ lexeme, behind }) =>
        placesOf([lexeme], positions).includes(place + behind),
      ),
    );
    if (places.length > most.length) most = places;
  }
  return most;
}

/** Adds up the inverse squares of the distances between two words. */
function nearnessOf(first: readonly number[], second: readonly number[]): number {
  let nearness = 0;
  let from = 0;
  for (const place of first) {
    while ((second[from] ?? Infinity) < place - MAX_DISTANCE) from += 1;
    for (let at = from; (second[at] ?? Infinity) <= place + MAX_DISTANCE; at += 1) {
      const distance = Math.abs((second[at] ?? place) - place);
      if (distance > 0) nearness += 1 / distance ** 2;
    }
  }
  return nearness;
}
