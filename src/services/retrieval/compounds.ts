import {
  beginningOfEnd,
  COMPOUND_JOINTS,
  MIN_PART_CHARACTERS,
  MIN_REST_CHARACTERS,
} from "../embedding/contract-terms.ts";
import { beginsWith } from "./ts-query.ts";

/** A word that may be made of two, with the ways to divide it. */
export interface Split {
  word: string;
  candidates: readonly (readonly [string, string])[];
}

const MAX_COMPOUND_CHARACTERS = 40;

/** Lists the ways to divide each of the words in two; words that are too short are omitted. */
export function listSplits(words: readonly string[], configuration: string): Split[] {
  const joints = COMPOUND_JOINTS[configuration] ?? [];
  return words
    .map((word) => ({ word, candidates: joints.flatMap((joint) => divide(word, joint)) }))
    .filter(({ candidates }) => candidates.length > 0);
}

function divide(word: string, joint: string): [string, string][] {
  if (word.length > MAX_COMPOUND_CHARACTERS) return [];
  const candidates: [string, string][] = [];
  const last = word.length - joint.length - MIN_PART_CHARACTERS;
  for (let at = MIN_PART_CHARACTERS; at <= last; at += 1)
    if (word.startsWith(joint, at))
      candidates.push([word.slice(0, at), word.slice(at + joint.length)]);
  return candidates;
}

/**
 * Returns the parts of those words whose parts are more frequent than the whole, by the geometric
 * mean. Source: Koehn and Knight, "Empirical Methods for Compound Splitting" (2003).
 */
export function findParts(
  splits: readonly Split[],
  countOf: (word: string) => number,
): string[] {
  return splits.flatMap(({ word, candidates }) => {
    let best: readonly string[] = [];
    let most = countOf(word);
    for (const [first, second] of candidates) {
      const mean = Math.sqrt(countOf(first) * countOf(second));
      if (mean > most) [best, most] = [[first, second], mean];
    }
    return best;
  });
}

/** Which indexed words may be compounds with a word of a question. */
export interface CompoundSearch {
  /** Finds the chunks that have one, as a `tsquery`. */
  query: string;
  /** What their lexemes are like, as in SQL. */
  pattern: string;
}

/** A shorter stem of a longer word begins too many others: "best" of "beste" begins "bestellen". */
const MIN_STEM_CHARACTERS = 5;

/**
 * Lists where to look for compounds with a word as their first or last part: "Urlaub" finds
 * "Urlaubsanspruch", and so does "Anspruch".
 */
export function searchesOf(word: string, stems: readonly string[]): CompoundSearch[] {
  const parts = stems.filter(
    (stem) => stem.length >= (stem === word ? MIN_PART_CHARACTERS : MIN_STEM_CHARACTERS),
  );
  const rest = "_".repeat(MIN_REST_CHARACTERS);
  const isPart = (part: string) =>
    part.length >= MIN_PART_CHARACTERS && /^\p{L}+$/u.test(part);
  return [
    ...[...new Set([word, ...parts])].filter(isPart).map((part) => ({
      query: beginsWith(part),
      pattern: `${part}${rest}%`,
    })),
    ...parts.filter(isPart).map((part) => ({
      query: beginsWith(beginningOfEnd(part)),
      pattern: `${rest}%${part}`,
    })),
  ];
}
