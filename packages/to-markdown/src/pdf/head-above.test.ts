import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line, STYLE } from "./place-text.test-support.ts";

const bold = (text: string, left: number, baseline: number) =>
  line(text, left, baseline).map((word) => ({ ...word, style: { ...STYLE, bold: true } }));

const ROWS = [
  ["Kiel", "harbour", "210"],
  ["Ulm", "river", "80"],
  ["Emden", "harbour", "64"],
  ["Leer", "river", "41"],
];
const cells = ROWS.flatMap((row, y) =>
  row.flatMap((text, x) => line(text, x * 120 + 5, 118 + y * 24)),
);
/** Every second row has a ground. */
const fills = [1, 3].map((y) => ({
  left: 0,
  right: 300,
  top: 102 + y * 24,
  bottom: 126 + y * 24,
  colour: 0xeeeeee,
}));

const rowsOf = (words: readonly ReturnType<typeof line>[number][]) =>
  findTables(buildSegments([...words, ...cells]), { rules: [], fills }).tables.map(
    ({ rows }) => rows,
  );

test("names of columns of one line and of two, set around their middle, are the first row", () => {
  const head = [
    ...bold("Small", 5, 76),
    ...bold("Water", 125, 82),
    ...bold("Boats", 245, 76),
    ...bold("town", 5, 88),
    ...bold("now", 245, 88),
  ];
  expect(rowsOf(head)).toEqual([[["Small town", "Water", "Boats now"], ...ROWS]]);
});

test("a bold line that names not each column stays above its table", () => {
  expect(rowsOf(bold("Towns", 5, 92))).toEqual([ROWS]);
});
