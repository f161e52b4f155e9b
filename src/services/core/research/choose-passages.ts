import type { Source } from "../sources/contract.ts";
import type { Passage } from "../sources/find-passages.ts";
import { findPassage, nextIndex } from "../sources/take-passages.ts";

/** Of one page: those that say most about the question. */
const MAX_OF_PAGE = 6;
const MAX_WORDS = 40;
/** A shorter word says little. */
const MIN_WORD_CHARACTERS = 3;
/** Endings differ; so long a word is compared without its last two characters. */
const LONG_WORD_CHARACTERS = 6;

/** Returns the passages of each page that have the rarest words of the question, in their order. */
export function choosePassages(
  pages: readonly (readonly Passage[])[],
  question: string,
  maxCharacters: number,
): Passage[] {
  const stems = stemsOf(question);
  const best = pages.map((page) => rank(page, stems).slice(0, MAX_OF_PAGE));
  const chosen = new Set<Passage>();
  let room = maxCharacters;
  // the pages take turns, so that a long one does not crowd the others out
  for (let turn = 0; turn < MAX_OF_PAGE; turn += 1)
    for (const passage of best.flatMap((page) => page[turn] ?? [])) {
      if (passage.content.length > room) continue;
      room -= passage.content.length;
      chosen.add(passage);
    }
  return pages.flatMap((page) => page.filter((passage) => chosen.has(passage)));
}

function rank(page: readonly Passage[], stems: readonly string[]): Passage[] {
  const texts = page.map(({ content }) => content.toLowerCase());
  const weights = stems.map((stem) => {
    const having = texts.filter((text) => text.includes(stem)).length;
    return { stem, weight: having === 0 ? 0 : Math.log(1 + page.length / having) };
  });
  const scored = page.map((passage, at) => ({
    passage,
    score: weights.reduce(
      (sum, { stem, weight }) => sum + (texts[at]?.includes(stem) ? weight : 0),
      0,
    ),
  }));
  return scored
    .toSorted((one, other) => other.score - one.score)
    .map(({ passage }) => passage);
}

function stemsOf(question: string): string[] {
  const words = question.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const stems = words
    .filter((word) => word.length >= MIN_WORD_CHARACTERS)
    .map((word) => (word.length >= LONG_WORD_CHARACTERS ? word.slice(0, -2) : word));
  return [...new Set(stems)].slice(0, MAX_WORDS);
}

/** Numbers the passages that a reply does not have yet. Its notes, not they, fill the context. */
export function numberPassages(
  known: readonly Source[],
  passages: readonly Passage[],
): Source[] {
  const next = nextIndex(known);
  return passages
    .filter((passage) => !findPassage(known, passage))
    .map((passage, at) => ({ ...passage, index: next + at }));
}
