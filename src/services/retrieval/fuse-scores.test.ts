import { expect, test } from "vitest";
import { distinctness, fuseScores } from "./fuse-scores.ts";
import { sortByScore } from "./rerank/reranker.ts";

test("a chunk that is best in every ranking scores 1, and score distances count, not only ranks", () => {
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

test("a single result gets a score above the floor", () => {
  const [only] = fuseScores([
    { found: [{ id: "a", score: 0.2 }], floor: 0.2, weight: 1 },
    { found: [], floor: 0, weight: 1 },
  ]);
  expect(only).toEqual({ id: "a", score: 0.5 });
});

test.each([
  [[0.5, 0.4, 0.1], 0.8],
  [[0.4, 0.4], 0.1],
  [[0.3], 0.1],
  [[0, 0], 0.1],
  [[], 0.1],
])("the scores %j stand out by %d", (scores, share) => {
  const found = scores.map((score, at) => ({ id: String(at), score }));
  expect(distinctness(found)).toBeCloseTo(share);
});

test("sorting ignores unknown, repeated and invalid indexes and appends missing passages", () => {
  const judged = [
    { index: 2, score: 0.9 },
    { index: 2, score: 0.1 },
    { index: 7, score: 1 },
    { index: -1, score: 1 },
    { index: 0, score: Number.NaN },
    { index: 1, score: 3 },
  ];
  expect(sortByScore(judged, 4)).toEqual([
    { index: 1, score: 1 },
    { index: 2, score: 0.9 },
    { index: 0, score: 0 },
    { index: 3, score: 0 },
  ]);
});
