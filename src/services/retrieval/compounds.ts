/** A word that may be made of two, with the ways to divide it. */
export interface Split {
  word: string;
  candidates: readonly (readonly [string, string])[];
}

/**
 * The languages that write compounds as one word, with the letters that may join the parts:
 * "Arbeitszeit" is "Arbeit" and "Zeit".
 */
const JOINTS: Record<string, readonly string[]> = {
  german: ["", "s", "es", "n", "en", "er"],
  dutch: ["", "s", "e", "en"],
  danish: ["", "s", "e"],
  norwegian: ["", "s", "e"],
  swedish: ["", "s"],
  finnish: ["", "n"],
  hungarian: [""],
};
const MIN_PART_CHARACTERS = 4;
const MAX_COMPOUND_CHARACTERS = 40;

/** Lists the ways to divide each of the words in two; words that are too short are omitted. */
export function listSplits(words: readonly string[], configuration: string): Split[] {
  const joints = JOINTS[configuration] ?? [];
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
