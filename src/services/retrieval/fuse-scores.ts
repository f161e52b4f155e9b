import type { Found } from "./vector-search.ts";

/** The results of one search. */
export interface Ranking {
  /** The best first. */
  found: readonly Found[];
  /** The score that counts as 0, as for a chunk that is not in the ranking. */
  floor: number;
  weight: number;
}

/** So that a result of this ranking alone has a score, too. */
const MIN_DISTINCTNESS = 0.1;

/**
 * Returns by how much the best result stands out from the last: least where all are alike, 1 where
 * the last has nothing. Vectors of hashed words that stand out little say little.
 */
export function distinctness(found: readonly Found[]): number {
  const best = found[0]?.score ?? 0;
  if (best <= 0) return MIN_DISTINCTNESS;
  return Math.max(MIN_DISTINCTNESS, 1 - (found.at(-1)?.score ?? 0) / best);
}

/**
 * Fuses several rankings: the weighted mean of their scores, each scaled from its floor to its best
 * score. Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval" (2023) find
 * this better than reciprocal rank fusion, and so do the measurements in docs/retrieval.md.
 * @returns scores up to 1, the score of a chunk that is best in every ranking.
 */
export function fuseScores(rankings: readonly Ranking[]): Found[] {
  const total = rankings.reduce((sum, { weight }) => sum + weight, 0);
  const scores = new Map<string, number>();
  for (const { found, floor, weight } of rankings) {
    const best = found[0]?.score ?? 0;
    for (const { id, score } of found) {
      const share = best > floor ? Math.max(0, score - floor) / (best - floor) : 1;
      scores.set(id, (scores.get(id) ?? 0) + share * weight);
    }
  }
  return [...scores]
    .map(([id, score]) => ({ id, score: score / total }))
    .toSorted((one, other) => other.score - one.score);
}
