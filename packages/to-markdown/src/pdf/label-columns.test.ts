import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Word } from "./layout.ts";
import { level, line, upright } from "./place-text.test-support.ts";

const ROWS = [
  ["Town", "People"],
  ["Hamburg", "1.8"],
  ["Bremen", "0.5"],
  ["Kiel", "0.2"],
];
const words = ROWS.flatMap((row, y) =>
  row.flatMap((cell, x) => line(cell, 105 + x * 100, 15 + y * 20)),
);
const rules = [
  ...[0, 20, 40, 60, 80].map((y) => level(y, 100, 300)),
  ...[100, 200, 300].map((x) => upright(x, 0, 80)),
];
const find = (more: Word[]) =>
  findTables(buildSegments([...words, ...more]), { rules, fills: [] });
const labels = ["Harbour", "Weser side", "Fjord"].flatMap((text, y) =>
  line(text, 40, 35 + y * 20),
);

test("labels at the left of the rows of a grid are its first column", () => {
  const { tables, rest } = find(labels);
  expect(tables.map((table) => table.rows)).toEqual([
    [
      ["", "Town", "People"],
      ["Harbour", "Hamburg", "1.8"],
      ["Weser side", "Bremen", "0.5"],
      ["Fjord", "Kiel", "0.2"],
    ],
  ]);
  expect(rest).toEqual([]);
});

test("text beside a grid that labels not each row, or goes on below it, stays text", () => {
  const few = labels.filter(({ top }) => top < 60);
  expect(find(few).tables.map((table) => table.rows)).toEqual([ROWS]);
  const more = [...labels, ...line("and others", 40, 88)];
  expect(find(more).tables.map((table) => table.rows)).toEqual([ROWS]);
});
