import type { StoredFailure } from "../../../platform/http/reported-error.ts";

/** The result of reranking. */
export type Reranked =
  | {
      /** The best first; contains every passage, by its index in the request. */
      scores: { index: number; score: number }[];
      /** What the answer lacks: passages without a usable score come last. */
      warning?: StoredFailure | undefined;
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
  /** Of the passages: their labels say who may read them. */
  documentIds: readonly string[],
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

/**
 * The order by an answer of which some entries may be useless. @returns a failure when none has a
 * score, which would make the first passages the best ones without a word.
 */
export function rerankedBy(
  judged: readonly { index: number; score: number }[],
  total: number,
): Reranked {
  const usable = new Set(
    judged
      .filter(({ index, score }) => Number.isFinite(score) && index >= 0 && index < total)
      .map(({ index }) => index),
  ).size;
  if (usable === 0)
    return {
      failure: {
        code: "reranker_empty",
        message:
          "The reranker's answer has no score for any passage, so the results are not reranked. Check its server.",
      },
    };
  const scores = sortByScore(judged, total);
  if (usable === total) return { scores };
  return {
    scores,
    warning: {
      code: "reranker_incomplete",
      message: `The reranker judged ${usable} of ${total} passages; the others come last. Check its server.`,
      params: { judged: usable, total },
    },
  };
}
