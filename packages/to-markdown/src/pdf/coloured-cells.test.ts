import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Fill } from "./page-content.ts";
import { line } from "./place-text.test-support.ts";

/** Six columns, of which the first holds names; the first baseline at 15. */
const LEFTS = [5, 105, 155, 205, 255, 305];
const ROWS = [
  ["Task", "First", "Second", "Third", "Fourth", "Fifth"],
  ["Look up", "0.87", "0.20", "0.40", "0.80", "0.11"],
  ["Measure", "0.88", "0.41", "0.61", "0.68", "0.21"],
  ["Move", "0.33", "0.53", "0.13", "0.43", "0.22"],
  ["Wait", "0.39", "0.48", "0.28", "0.74", "0.10"],
  ["Go back", "0.29", "0.18", "0.31", "0.24", "0.72"],
  ["Average", "0.69", "0.38", "0.38", "0.64", "0.18"],
];
const words = ROWS.flatMap((row, y) =>
  row.flatMap((text, x) => line(text, LEFTS[x] ?? 0, 15 + y * 14)),
);
const colour = (row: number, column: number, to = column): Fill => ({
  left: (LEFTS[column] ?? 0) - 5,
  right: (LEFTS[to] ?? 0) + 45,
  top: 4 + row * 14,
  bottom: 18 + row * 14,
  colour: 0xaa0000 + row * 16 + column,
});
const find = (fills: Fill[]) =>
  findTables(buildSegments(words), { rules: [], fills }).tables.map(({ rows }) => rows);

test("coloured cells beside others without a colour are a part of one table", () => {
  const block = [1, 2, 3, 4, 5].flatMap((row) => [colour(row, 2), colour(row, 3)]);
  expect(find(block)).toEqual([ROWS]);
});

test("a grid in which numbers would share cells is none", () => {
  const torn = [
    [colour(1, 1), colour(1, 2, 5)],
    [colour(2, 1, 3), colour(2, 4, 5)],
    [colour(3, 1, 2), colour(3, 3, 4), colour(3, 5)],
    [colour(4, 1), colour(4, 2, 4), colour(4, 5)],
    [colour(5, 1, 4), colour(5, 5)],
  ];
  expect(find(torn.flat())).toEqual([ROWS]);
});

test("coloured rows whose numbers go on below them are a part of one table", () => {
  const block = [
    [colour(1, 0), colour(1, 1), colour(1, 2, 3), colour(1, 4), colour(1, 5)],
    [colour(2, 0), colour(2, 1, 2), colour(2, 3), colour(2, 4), colour(2, 5)],
    [0, 1, 2, 3, 4, 5].map((column) => colour(3, column)),
    [0, 1, 2, 3, 4, 5].map((column) => colour(4, column)),
  ];
  expect(find(block.flat())).toEqual([ROWS]);
});
