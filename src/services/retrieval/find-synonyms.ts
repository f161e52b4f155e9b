import { foldLetters } from "../embedding/contract-terms.ts";
import { FINANCIAL_TERMS, type FinancialTerm } from "./financial-terms.ts";

/** What a question names, or a part of it, by all its names. */
export interface Synonyms {
  names: readonly string[];
  /** How much it counts, beside a word of the question. */
  share: number;
  /** Whether it stands among numbers, in a table. */
  isFigure: boolean;
}

const SYNONYM_SHARE = 1;
/** How much less counts of what a figure is computed, and the statement in which it stands. */
const PART_SHARE = 0.5;
/** Of a ratio, its figures and their statements. */
const MAX_STEPS = 2;
const MAX_FOUND = 16;
/** A name with "&" is one word. */
const WORD = /[\p{L}\p{N}]+(?:&\p{L}+)*/gu;
const LINKING = new Set("of the and or for in to by from on a".split(" "));

interface Vocabulary {
  /** By the first word of a name, the longest first. */
  byFirstWord: ReadonlyMap<string, readonly Entry[]>;
  byFirstName: ReadonlyMap<string, FinancialTerm>;
}

interface Entry {
  words: readonly string[];
  term: FinancialTerm;
}

let vocabulary: Vocabulary | undefined;

/** Finds what a question names by words for which reports have others. */
export function findSynonyms(question: string): Synonyms[] {
  const { byFirstWord, byFirstName } = (vocabulary ??= readVocabulary());
  const words = comparable(question);
  const found: FinancialTerm[] = [];
  for (let at = 0; at < words.length;) {
    const entry = byFirstWord
      .get(words[at] ?? "")
      ?.find((one) => one.words.every((word, n) => words[at + n] === word));
    if (entry) found.push(entry.term);
    at += entry?.words.length ?? 1;
  }
  if (found.every(({ isCommon }) => isCommon)) return [];
  const shares = new Map<FinancialTerm, number>();
  let step = found;
  for (let steps = 0, share = SYNONYM_SHARE; steps <= MAX_STEPS; steps += 1) {
    for (const term of step) if (!shares.has(term)) shares.set(term, share);
    step = step.flatMap(({ of = [] }) => of.flatMap((name) => byFirstName.get(name) ?? []));
    share *= PART_SHARE;
  }
  return [...shares]
    .slice(0, MAX_FOUND)
    .map(([{ names, isProse }, share]) => ({ names, share, isFigure: !isProse }));
}

function readVocabulary(): Vocabulary {
  const entries = FINANCIAL_TERMS.flatMap((term) =>
    term.names.map((name) => ({ words: comparable(name), term })),
  );
  return {
    byFirstWord: Map.groupBy(
      entries.toSorted((one, other) => other.words.length - one.words.length),
      ({ words }) => words[0] ?? "",
    ),
    byFirstName: new Map(FINANCIAL_TERMS.map((term) => [term.names[0] ?? "", term])),
  };
}

/** The words of a text without those that only link others, and without the s of a plural. */
function comparable(text: string): string[] {
  return [...foldLetters(text.toLowerCase()).matchAll(WORD)]
    .map(([word]) => word.replace(/ies$/, "y").replace(/(?<=[^su])s$/, ""))
    .filter((word) => !LINKING.has(word));
}
