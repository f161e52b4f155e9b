import { expect, test } from "vitest";
import { fuseRanks } from "./fuse-ranks.ts";
import { inOrder } from "./rerank/reranker.ts";

test("what is first in all orders has the score 1, and what is up in several stands before what is up in one", () => {
  const fused = fuseRanks([
    { ids: ["a", "b", "c"], weight: 0.5 },
    { ids: ["a", "c", "d"], weight: 1 },
  ]);
  expect(fused.map(({ id }) => id)).toEqual(["a", "c", "d", "b"]);
  expect(fused[0]?.score).toBeCloseTo(1);
});

test("a judge's order keeps every passage once: the unknown, doubled and unreadable numbers are left out, the missing follow", () => {
  const judged = [
    { index: 2, score: 0.9 },
    { index: 2, score: 0.1 },
    { index: 7, score: 1 },
    { index: -1, score: 1 },
    { index: 0, score: Number.NaN },
    { index: 1, score: 3 },
  ];
  expect(inOrder(judged, 4)).toEqual([
    { index: 1, score: 1 },
    { index: 2, score: 0.9 },
    { index: 0, score: 0 },
    { index: 3, score: 0 },
  ]);
});
