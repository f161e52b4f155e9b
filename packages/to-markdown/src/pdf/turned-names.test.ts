import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Rule, TurnedGlyph } from "./page-content.ts";
import { level, line, SIZE, upright } from "./place-text.test-support.ts";
import { readTurned } from "./turned-text.ts";

const STEP = 5;
/** Three columns at 5, 105 and 205; the first baseline at 115. */
const ROWS = [
  ["Task", "", ""],
  ["Look up", "0.87", "0.20"],
  ["Measure", "0.88", "0.41"],
  ["Move", "0.33", "0.53"],
];
const words = ROWS.flatMap((row, y) =>
  row.flatMap((cell, x) => (cell ? line(cell, x * 100 + 5, 115 + y * 15) : [])),
);

/** The letters of a text that rises from a point, in degrees. */
const rising = (text: string, angle: number, left: number, bottom: number): TurnedGlyph[] =>
  [...text].map((letter, at) => {
    const turn = (angle * Math.PI) / 180;
    const x = left + Math.cos(turn) * at * STEP;
    const y = bottom - Math.sin(turn) * at * STEP;
    const box = { left: x, right: x + SIZE / 2, top: y - SIZE / 2, bottom: y };
    return { ...box, text: letter, angle, x, y: 800 - y, size: SIZE, spaced: false };
  });

function find(turned: TurnedGlyph[], rules: Rule[] = [], cells = words) {
  const found = findTables(buildSegments(cells), { rules, fills: [] }, readTurned(turned));
  return {
    tables: found.tables.map(({ rows }) => rows),
    turned: found.turned.map(({ text }) => text),
  };
}
const named = [["Task", "Hits", "Misses"], ...ROWS.slice(1)];

test.each([45, 90])(
  "names of columns that rise by %i degrees are its first row",
  (angle) => {
    const names = [
      ...rising("Hits", angle, 110, 115),
      ...rising("Misses", angle, 210, 115),
    ];
    expect(find(names)).toEqual({ tables: [named], turned: [] });
  },
);

test("names above a table whose columns have names are a row of their own", () => {
  const head = [...line("In 2023", 105, 115), ...line("In 2024", 205, 115)];
  const names = [...rising("Hits", 45, 110, 105), ...rising("Misses", 45, 210, 105)];
  expect(find(names, [], [...words, ...head]).tables).toEqual([
    [["", "Hits", "Misses"], ["Task", "In 2023", "In 2024"], ...ROWS.slice(1)],
  ]);
});

test("a single text over a table, and one that crosses it, name no columns", () => {
  expect(find(rising("Draft", 45, 110, 105)).turned).toEqual(["Draft"]);
  expect(find(rising("Confidential", 45, 110, 160)).turned).toEqual(["Confidential"]);
});

test("upright names in the cells of a grid stay in them, also where they nearly touch", () => {
  const xs = [0, 100, 112, 124];
  const ys = [60, 104, 119, 134, 149];
  const rules = [
    ...ys.map((at) => level(at, 0, 124)),
    ...xs.map((at) => upright(at, 60, 149)),
  ];
  const cells = [
    ["Look up", "1", "2"],
    ["Measure", "3", "4"],
    ["Move", "5", "6"],
  ];
  const grid = cells.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, (xs[x] ?? 0) + 3, 115 + y * 15)),
  );
  const names = [...rising("Hits", 90, 103, 100), ...rising("Misses", 90, 115, 100)];
  expect(find(names, rules, grid)).toEqual({
    tables: [[["", "Hits", "Misses"], ...cells]],
    turned: [],
  });
});
