import type { StoredFailure } from "../../../platform/http/reported-error.ts";

/** The result of reranking. */
export type Reranked =
  | {
      /** The best first; contains every passage, by its index in the request. */
      scores: { index: number; score: number }[];
    }
  | {
      /** Why reranking failed. The original order remains. */
      failure: StoredFailure;
    };

export type Reranker = (
  strategy: "bge" | "llm",
  query: string,
  passages: readonly string[],
  /** Whom a model's judgement counts for; undefined: nobody. */
  userId: string | undefined,
  signal: AbortSignal,
) => Promise<Reranked>;

/**
 * Sorts passages by score, followed by those without a score in their original order. A repeated or
 * invalid index is ignored.
 */
export function sortByScore(
  judged: readonly { index: number; score: number }[],
  total: number,
): { index: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const { index, score } of judged)
    if (
      Number.isInteger(index) &&
      index >= 0 &&
      index < total &&
      Number.isFinite(score) &&
      !scores.has(index)
    )
      scores.set(index, Math.min(1, Math.max(0, score)));
  const known = [...scores]
    .map(([index, score]) => ({ index, score }))
    .toSorted((one, other) => other.score - one.score);
  const rest = Array.from({ length: total }, (_, index) => ({ index, score: 0 })).filter(
    ({ index }) => !scores.has(index),
  );
  return [...known, ...rest];
}
