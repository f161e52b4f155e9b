import { expect, test } from "vitest";
import { fuseScores } from "./fuse-scores.ts";
import { inOrder } from "./rerank/reranker.ts";

test("what is the best of all orders has the score 1, and how far ahead it is counts, not its rank alone", () => {
  const fused = fuseScores([
    {
      found: [
        { id: "a", score: 0.5 },
        { id: "b", score: 0.4 },
        { id: "c", score: 0.1 },
      ],
      floor: 0.1,
      weight: 1,
    },
    {
      found: [
        { id: "a", score: 20 },
        { id: "c", score: 19 },
        { id: "d", score: 1 },
      ],
      floor: 0,
      weight: 3,
    },
  ]);
  expect(fused.map(({ id }) => id)).toEqual(["a", "c", "b", "d"]);
  expect(fused[0]?.score).toBeCloseTo(1);
  expect(fused[1]?.score).toBeCloseTo((3 * 19) / 20 / 4);
});

test("one that is found alone stands before what is not found", () => {
  const [only] = fuseScores([
    { found: [{ id: "a", score: 0.2 }], floor: 0.2, weight: 1 },
    { found: [], floor: 0, weight: 1 },
  ]);
  expect(only).toEqual({ id: "a", score: 0.5 });
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
