import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { level, line } from "./place-text.test-support.ts";

type Cell = readonly [text: string, right: number];

/** Cells on lines at a distance of 13, each with its right edge, between rules. */
function rowsOf(
  lines: readonly (readonly Cell[])[],
  rules: readonly number[],
): string[][][] {
  const words = lines.flatMap((cells, y) =>
    cells.flatMap(([text, right]) => line(text, right - text.length * 5, 20 + y * 13)),
  );
  const levels = rules.map((at) => level(at, 0, 400));
  const { tables } = findTables(buildSegments(words), { rules: levels, fills: [] });
  return tables.map(({ rows }) => rows);
}

const ROWS: Cell[][] = [
  ["Grain", "1040", "98", "310"],
  ["Wool", "72", "55", "295"],
  ["Salt", "310", "12", "61"],
].map((row) => row.map((text, at): Cell => [text, 60 + at * 110]));

test("names of columns whose last lines are level are one row", () => {
  const head: Cell[][] = [
    [["Wharves", 390]],
    [
      ["Inland", 280],
      ["behind", 390],
    ],
    [
      ["Goods", 60],
      ["All", 170],
      ["towns", 280],
      ["locks", 390],
    ],
  ];
  const texts = ROWS.map((row) => row.map(([text]) => text));
  expect(rowsOf([...head, ...ROWS], [8, 52, 94])).toEqual([
    [["Goods", "All", "Inland towns", "Wharves behind locks"], ...texts],
  ]);
});
