import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Word } from "./layout.ts";
import type { Fill, Rule } from "./page-content.ts";
import { level, line, STYLE, upright } from "./place-text.test-support.ts";

const find = (
  words: Word[],
  { rules = [], fills = [] }: { rules?: Rule[]; fills?: Fill[] } = {},
) => findTables(buildSegments(words), { rules, fills }).tables.map(({ rows }) => rows);

const AREAS = ["Areas of work", "Repair and reuse", "Energy", "Food of the region"];
const words = AREAS.flatMap((text, y) => line(text, 5, 15 + y * 20));
const rules = [
  ...[0, 20, 40, 60, 80].map((y) => level(y, 0, 300)),
  upright(0, 0, 80),
  upright(300, 0, 80),
];

test("short texts in ruled rows below each other are a table of one column", () => {
  expect(find(words, { rules })).toEqual([AREAS.map((text) => [text])]);
});

test("short texts on backgrounds that touch below each other are a table of one column", () => {
  const fills = AREAS.map((_, at): Fill => {
    const colour = at % 2 === 0 ? 0xdddddd : 0xeeeeee;
    return { left: 0, right: 300, top: at * 20, bottom: at * 20 + 20, colour };
  });
  expect(find(words, { fills })).toEqual([AREAS.map((text) => [text])]);
  const apart = fills.map((fill) => ({ ...fill, bottom: fill.bottom - 5 }));
  expect(find(words, { fills: apart })).toEqual([]);
});

test("cells that stand apart in ruled rows are columns, and lines of code are no table", () => {
  const values = AREAS.flatMap((_, y) => line(`${y}2`, 205, 15 + y * 20));
  expect(find([...words, ...values], { rules })).toEqual([
    AREAS.map((text, y) => [text, `${y}2`]),
  ]);
  const code = words.map((word) => ({ ...word, style: { ...STYLE, mono: true } }));
  expect(find(code, { rules })).toEqual([]);
});

test("a box of running text, or few boxes, are no table", () => {
  const text = [0, 1, 2, 3, 4].flatMap((y) =>
    line("Words of running text", 5, 90 + y * 12),
  );
  const box = [level(150, 0, 300), upright(0, 80, 150), upright(300, 80, 150)];
  expect(find([...words, ...text], { rules: [...rules, ...box] })).toEqual([]);
  expect(find(words.slice(0, -4), { rules: rules.filter(({ at }) => at !== 80) })).toEqual(
    [],
  );
});
