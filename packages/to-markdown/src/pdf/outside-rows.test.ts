import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line } from "./place-text.test-support.ts";

type Cell = readonly [text: string, left: number];

/** The tables of lines at a distance of 14, each with its pieces. */
function rowsOf(lines: readonly (readonly Cell[])[]): string[][][] {
  const words = lines.flatMap((cells, y) =>
    cells.flatMap(([text, left]) => line(text, left, 20 + y * 14)),
  );
  const { tables } = findTables(buildSegments(words), { rules: [], fills: [] });
  return tables.map(({ rows }) => rows);
}

const row = (...texts: string[]): Cell[] => texts.map((text, at) => [text, at * 140]);

test("the title of a table is no row of it, though a word of it stands apart", () => {
  const lines = [
    row("Town", "People", "Since"),
    row("Hamburg", "1.8", "1189"),
    row("Bremen", "0.5", "787"),
    row("Table 3: Some of the", "towns", "at the sea"),
    row("Town", "Boats", "Piers"),
    row("Kiel", "210", "14"),
    row("Emden", "80", "6"),
  ];
  expect(rowsOf(lines)).toEqual([lines.slice(0, 3), lines.slice(4)].map(textsOf));
});

test("a short title in the middle below a table is no cell of its last row", () => {
  const lines = [
    row("Town", "Boats", "Piers"),
    row("Kiel", "210", "14"),
    row("Emden", "80", "6"),
    row("Leer", "60", "4"),
  ];
  const title: Cell[] = [["Table 3: Towns", 100]];
  expect(rowsOf([...lines, title])).toEqual([textsOf(lines)]);
});

test("rows that all begin like titles are a list of tables, and short names are rows", () => {
  const list = [
    row("Table 1: Towns at the sea", "Kiel", "1233"),
    row("Table 2: Towns in the hills", "Goslar", "922"),
    row("Table 3: Towns on islands", "Wyk", "1706"),
  ];
  const names = [
    row("Panel", "Colour", "Width"),
    row("Figure 1", "red", "12"),
    row("Text", "blue", "14"),
  ];
  expect(rowsOf(list)).toEqual([textsOf(list)]);
  expect(rowsOf(names)).toEqual([textsOf(names)]);
});

test("equations with their numbers are no table", () => {
  const numbered = (text: string, number: string): Cell[] => [
    [text, 40],
    [number, 280],
  ];
  const text: Cell[] = [
    ["which with the other weights gives us the", 0],
    ["mean", 280],
  ];
  const lines = [
    text,
    numbered("y = a + b x", "(9)"),
    text,
    numbered("z = c + d x", "(10)"),
    numbered("x = e", "(11)"),
  ];
  expect(rowsOf(lines)).toEqual([]);
});

test("the lines of an equation, of which each begins with its sign, are no table", () => {
  const lines = ["a (b + c)", "a b + a c", "d + e", "f"].map((text, at): Cell[] => [
    [at === 0 ? "y" : " ", 20],
    ["=", 60],
    [text, 90],
  ]);
  expect(rowsOf(lines.map((cells) => cells.filter(([text]) => text.trim())))).toEqual([]);
});

test("shares in brackets beside numbers are cells", () => {
  const lines = [
    row("Age", "Persons", "Share"),
    row("below 20", "12", "(24)"),
    row("below 40", "28", "(56)"),
    row("above", "10", "(20)"),
  ];
  expect(rowsOf(lines)).toEqual([textsOf(lines)]);
});

function textsOf(lines: readonly (readonly Cell[])[]): string[][] {
  return lines.map((cells) => cells.map(([text]) => text));
}
