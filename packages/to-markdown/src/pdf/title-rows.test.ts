import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Fill } from "./page-content.ts";
import { level, line } from "./place-text.test-support.ts";

const ROWS = [
  ["Potosi", "alvarezi"],
  ["Palma", "longidorsalis"],
  ["Golden", "francesae"],
];
const words = ROWS.flatMap(([name = "", other = ""], y) => [
  ...line(name, 5, 35 + y * 20),
  ...line(other, 105, 35 + y * 20),
]);
const foot = level(80, 0, 200);
const ground: Fill = { left: 0, right: 200, top: 0, bottom: 20, colour: 0x333333 };

test("a title on a background above the rows of a table is its first row", () => {
  const title = line("Fish in the wild", 5, 13);
  const { tables, rest } = findTables(buildSegments([...title, ...words]), {
    rules: [foot],
    fills: [ground],
  });
  expect(tables.map(({ rows }) => rows)).toEqual([[["Fish in the wild", ""], ...ROWS]]);
  expect(rest).toEqual([]);
});

test("a caption, and a line that begins elsewhere, stay outside of the table", () => {
  for (const title of [line("Table 6 of fish", 5, 13), line("Running head", 120, 13)]) {
    const { tables } = findTables(buildSegments([...title, ...words]), {
      rules: [foot],
      fills: [ground],
    });
    expect(tables.map(({ rows }) => rows)).toEqual([ROWS]);
  }
});

test("a heading at some distance from the rules around it is no row", () => {
  const heading = line("Fish elsewhere", 5, 5);
  const { tables } = findTables(buildSegments([...heading, ...words]), {
    rules: [level(-15, 0, 200), level(20, 0, 200), foot],
    fills: [],
  });
  expect(tables.map(({ rows }) => rows)).toEqual([ROWS]);
});
