/** What became of a second, closer look at passages. */
export type Reranked =
  | {
      /** The best first; every passage is in it, by its place among those given. */
      scores: { index: number; score: number }[];
    }
  | {
      /** Why there was none: one sentence. The order in which they came holds. */
      failure: string;
    };

export type Reranker = (
  strategy: "bge" | "llm",
  query: string,
  passages: readonly string[],
  signal: AbortSignal,
) => Promise<Reranked>;

/**
 * Those that were judged by their scores, then the others, in their order, below them. Each index
 * counts once.
 */
export function inOrder(
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
