import { expect, test } from "vitest";
import { printable, qualityRows } from "./quality-table.ts";
import type { Answered } from "./quality.ts";
import { chanceOf } from "./significance.ts";

test("a difference that every question shows is not chance, one that signs cancel is", () => {
  expect(chanceOf(Array.from({ length: 30 }, () => 0.1))).toBeLessThan(0.001);
  expect(chanceOf(Array.from({ length: 30 }, (_, n) => (n % 2 ? 0.1 : -0.1)))).toBe(1);
  expect(chanceOf([])).toBe(1);
  // all signs alike: 2 of 16 draws
  expect(chanceOf([1, 1, 1, 1])).toBeCloseTo(2 / 16, 1);
});

test("a table has the halves, both and their means, of each set beside BM25", () => {
  const answer = (
    set: string,
    half: Answered["half"],
    bm25: number,
    hybrid: number,
  ): Answered[] => [
    { set, half, how: "BM25", recall: 1, ndcg: bm25 },
    { set, half, how: "hybrid", recall: 1, ndcg: hybrid },
  ];
  const answered = [
    ...answer("one", "work", 0.5, 0.7),
    ...answer("one", "scored", 0.4, 0.4),
    ...answer("one", "scored", 0.8, 0.6),
    ...answer("other", "work", 1, 1),
    ...answer("other", "scored", 0, 1),
  ];
  expect(printable(qualityRows(answered, "ndcg"))).toMatchObject([
    { set: "one", half: "work", questions: 1, BM25: 0.5, hybrid: 0.7, "95 %": "" },
    { set: "other", half: "work", BM25: 1, "hybrid - BM25": 0, chance: "1.000" },
    { set: "mean", half: "work", questions: 2, BM25: 0.75, hybrid: 0.85 },
    {
      set: "one",
      half: "scored",
      questions: 2,
      BM25: 0.6,
      "hybrid - BM25": -0.1,
      "95 %": "-0.200 to 0.000",
    },
    { set: "other", half: "scored", "hybrid - BM25": 1, "95 %": "" },
    { set: "mean", half: "scored", questions: 3, BM25: 0.3, "hybrid - BM25": 0.45 },
    { set: "one", half: "both", questions: 3, BM25: 0.5667, "hybrid - BM25": 0 },
    { set: "other", half: "both", questions: 2 },
    { set: "mean", half: "both", "hybrid - BM25": 0.25 },
  ]);
  expect(qualityRows(answered, "recall").every(({ above }) => above === 0)).toBe(true);
});
