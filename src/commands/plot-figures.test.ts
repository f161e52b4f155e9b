import { expect, test } from "vitest";
import { drawFigures, plotFigures } from "./plot-figures.ts";

const FIGURES = [
  { name: "default", ndcgAt10: 0.5, recallAt10: 0.75, mrrAt10: 0.4, medianMs: 12.4 },
  {
    name: "current, hybrid + <bge>",
    ndcgAt10: 1,
    recallAt10: 1,
    mrrAt10: 1,
    medianMs: 140,
  },
].map((one) => ({ ...one, questions: 4, missed: [], warnings: [] }));

test("the table has a line for each variant, with figures under their titles", () => {
  const [titles, first, second, ...more] = drawFigures(FIGURES).split("\n");
  expect(titles).toMatch(/^ +nDCG@10 {2}recall@10 {2}MRR@10 {3}ms$/);
  expect(first).toMatch(/^default +0\.500 +0\.750 +0\.400 +12 {2}█{10}$/);
  expect(second).toMatch(/1\.000 +1\.000 +1\.000 +140 {2}█{20}$/);
  expect(more).toEqual([]);
});

test("the plot has three bars for each variant, and escapes their names", () => {
  const plot = plotFigures(FIGURES);
  expect(plot).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(plot).toContain("current, hybrid + &#60;bge&#62;");
  // the background, a square of the legend and two bars of each colour
  expect(plot.match(/<rect /g)).toHaveLength(1 + 3 + 2 * 3);
});
