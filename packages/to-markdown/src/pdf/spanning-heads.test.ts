import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Word } from "./layout.ts";
import { level, line } from "./place-text.test-support.ts";
import type { Rule } from "./page-content.ts";

/** Four columns at 5, 105, 205 and 305; the first baseline at 115. */
const ROWS = [
  ["Item", "2023", "2024", "2025"],
  ["Research", "1,892", "2,532", "3,423"],
  ["Sales", "680", "876", "1,136"],
];
const cells = ROWS.flatMap((row, y) =>
  row.flatMap((cell, x) => line(cell, x * 100 + 5, 115 + y * 15)),
);
const RULES = [level(120, 0, 340), level(150, 0, 340)];

const rowsOf = (words: Word[], rules: Rule[]) =>
  findTables(buildSegments(words), { rules: [...RULES, ...rules], fills: [] }).tables.map(
    ({ rows }) => rows,
  );

test("a name on a line over some columns is a row of the table", () => {
  const name = line("Year ended", 200, 100);
  const over = level(104, 102, 338);
  expect(rowsOf([...cells, ...name], [over])).toEqual([
    [["", "Year ended", "", ""], ...ROWS],
  ]);
  expect(rowsOf([...cells, ...line("Table 3: Years", 200, 100)], [over])).toEqual([ROWS]);
  expect(rowsOf([...cells, ...name], [level(104, 0, 338)])).toEqual([ROWS]);
});

test("a name under the first line of a table is a row, over the columns in whose middle it is", () => {
  const top = level(90, 0, 340);
  const combined = line("Combined", 232, 102);
  expect(rowsOf([...cells, ...combined], [top])).toEqual([
    [["", "", "Combined", ""], ...ROWS],
  ]);
  const title = line("Amounts", 140, 102);
  expect(rowsOf([...cells, ...title], [top])).toEqual([ROWS]);
});
