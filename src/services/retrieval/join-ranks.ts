import type { Found } from "./nearest-chunks.ts";

/** How much the first ranks count beyond the others; 20 is a little better than the usual 60 (design `reference/retrieval.md` 4). */
const K = 20;

/**
 * Joins lists by reciprocal rank, each with its weight.
 * @returns the best first; 1 is the score of what is first in all of them.
 */
export function joinRanks(lists: readonly { found: readonly Found[]; weight: number }[], limit: number): Found[] {
  const best = lists.reduce((sum, { weight }) => sum + weight / (K + 1), 0);
  const scores = new Map<string, number>();
  for (const { found, weight } of lists)
    found.forEach(({ chunkId }, rank) => scores.set(chunkId, (scores.get(chunkId) ?? 0) + weight / (K + rank + 1)));
  return [...scores]
    .map(([chunkId, score]) => ({ chunkId, score: score / best }))
    .sort((one, other) => other.score - one.score || (one.chunkId < other.chunkId ? -1 : 1))
    .slice(0, limit);
}
