import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Word } from "./layout.ts";
import type { Fill, Rule } from "./page-content.ts";
import { level, line, upright } from "./place-text.test-support.ts";

const find = (
  words: Word[],
  { rules = [], fills = [] }: { rules?: Rule[]; fills?: Fill[] } = {},
) => findTables(buildSegments(words), { rules, fills }).tables.map(({ rows }) => rows);

const ROWS = [
  ["Town", "People", "Since"],
  ["Hamburg", "1.8", "1189"],
  ["Bremen", "0.5", "787"],
  ["Kiel", "0.2", "1242"],
  ["All", "2.5", "787"],
];
/** Cells at 5, 105 and 205, with a distance of 20 between rows. */
const words = ROWS.flatMap((row, y) =>
  row.flatMap((cell, x) => line(cell, x * 100 + 5, 15 + y * 20)),
);
const sides = (xs: readonly number[], to = 100) => xs.map((x) => upright(x, 0, to));

test("upright lines that end together tell the first and the last row of an open grid", () => {
  const rules = [20, 40, 60, 80].map((y) => level(y, 0, 300));
  expect(find(words, { rules: [...rules, ...sides([0, 100, 200, 300])] })).toEqual([ROWS]);
});

test("level lines that end together tell the outer columns of a grid without sides", () => {
  const rules = [0, 20, 40, 60, 80, 100].map((y) => level(y, 0, 300));
  expect(find(words, { rules: [...rules, ...sides([100, 200])] })).toEqual([ROWS]);
});

test("a name of several lines above an open grid is one cell", () => {
  const more = [...words.filter(({ top }) => top > 20), ...line("Town", 5, 5)].concat(
    line("People of", 105, 5),
    line("the town", 105, 16),
    line("Since", 205, 5),
  );
  const rules = [20, 40, 60, 80, 100].map((y) => level(y, 0, 300));
  const uprights = [0, 100, 200, 300].map((x) => upright(x, -6, 100));
  expect(find(more, { rules: [...rules, ...uprights] })).toEqual([
    [["Town", "People of the town", "Since"], ...ROWS.slice(1)],
  ]);
});

test("lines that end apart, or with nothing between them, add no row", () => {
  const rules = [0, 20, 40, 60, 80, 100].map((y) => level(y, 0, 300));
  const long = [0, 100, 200, 300].map((x) => upright(x, 0, 160));
  expect(find(words, { rules: [...rules, ...long] })).toEqual([ROWS]);
});
