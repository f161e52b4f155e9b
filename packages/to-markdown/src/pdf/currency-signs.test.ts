import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { withSignsAtAmounts } from "./currency-signs.ts";
import { findTables } from "./find-tables.ts";
import { textOf, type Word } from "./layout.ts";
import { line, widthOf } from "./place-text.test-support.ts";

/** A text that ends at `right`. */
const lineTo = (text: string, right: number, baseline: number): Word[] =>
  line(text, right - widthOf(text), baseline);

const textsOf = (words: Word[]): string[] =>
  buildSegments(withSignsAtAmounts(words)).map(textOf);

test("signs at the left edges of columns belong to the amounts at their right edges", () => {
  const rows = [
    ["Net income", "$ 72,880", "$ 29,760", "$ 4,368"],
    ["Unrealized gain", "1", "—", "(31)"],
    ["Hedges", "21", "38", "47"],
    ["Total", "$ 72,902", "$ 29,798", "$ 4,384"],
  ];
  const words = rows.flatMap(([name = "", ...amounts], y) => [
    ...line(name, 0, 20 + y * 14),
    ...amounts.flatMap((text, x) => [
      ...(text.startsWith("$") ? line("$", 150 + x * 80, 20 + y * 14) : []),
      ...lineTo(text.replace("$ ", ""), 222 + x * 80, 20 + y * 14),
    ]),
  ]);
  const segments = buildSegments(withSignsAtAmounts(words));
  const { tables } = findTables(segments, { rules: [], fills: [] });
  expect(tables.map((table) => table.rows)).toEqual([rows]);
});

test("signs stay behind their amounts, and where no amount follows", () => {
  const behind = [
    ...line("Lamp", 0, 20),
    ...line("12,50 €", 100, 20),
    ...line("14,90 €", 180, 20),
    ...line("neu", 260, 20),
  ];
  expect(textsOf(behind)).toEqual(["Lamp", "12,50 €", "14,90 €", "neu"]);
  const apart = [...line("12,50", 100, 20), ...line("€", 150, 20)];
  const next = [...line("14,90", 190, 20), ...line("€", 240, 20)];
  expect(textsOf([...apart, ...next])).toEqual(["12,50", "€", "14,90", "€"]);
  const named = [...line("$", 0, 20), ...line("Price", 60, 20), ...line("4", 120, 20)];
  expect(textsOf(named)).toEqual(["$", "Price", "4"]);
});

test("signs to which the tags of the file give a cell stay where they are", () => {
  const cell = { table: 1, row: 0, column: 1, across: 1, head: false };
  const sign = line("$", 0, 20).map((word) => ({ ...word, cell }));
  expect(textsOf([...sign, ...line("4", 90, 20)])).toEqual(["$", "4"]);
});
