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

test("values under no line that parts them are in columns of their own where they stand apart", () => {
  const names = [
    ...line("Town", 5, 15),
    ...line("Before", 105, 15),
    ...line("After", 196, 15),
  ];
  const rules = [0, 20, 40, 60, 80, 100].map((y) => level(y, 0, 300));
  const uprights = [upright(0, 0, 100), upright(100, 0, 100), upright(200, 20, 100)];
  const body = words.filter(({ top }) => top > 20);
  const open = [...rules, ...uprights, upright(300, 0, 100)];
  expect(find([...names, ...body], { rules: open })).toEqual([
    [["Town", "Before", "After"], ...ROWS.slice(1)],
  ]);
  const over = [...line("Town", 5, 15), ...line("Numbers of the town", 150, 15)];
  expect(find([...over, ...body], { rules: open })).toEqual([
    [["Town", "Numbers of the town", ""], ...ROWS.slice(1)],
  ]);
});

test("a background inside another of its colour is no cell", () => {
  const body = words.filter(({ left }) => left < 200);
  const more = [...body, ...line("on the Elbe", 5, 41)].filter(({ top }) => top < 40);
  const blue = (left: number, right: number, top: number, bottom: number): Fill => ({
    left,
    right,
    top,
    bottom,
    colour: 0x0000ff,
  });
  const rows = [0, 21, 51].map((top, at) => [top, [20, 50, 70][at] ?? 0] as const);
  const fills = rows.flatMap(([top, bottom]) => [
    blue(0, 99, top, bottom),
    blue(100, 200, top, bottom),
    blue(0, 99, top, top + 14),
  ]);
  expect(
    find([...more, ...line("Kiel", 5, 65), ...line("0.2", 105, 65)], { fills }),
  ).toEqual([
    [
      ["Town", "People"],
      ["Hamburg on the Elbe", "1.8"],
      ["Kiel", "0.2"],
    ],
  ]);
});
