import { expect, test } from "vitest";
import { buildSegments, segmentOf } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { areCells } from "./judge-table.ts";
import { line } from "./place-text.test-support.ts";

type Cell = readonly [text: string, left: number];

function rowsOf(lines: readonly (readonly Cell[])[]): string[][][] {
  const words = lines.flatMap((cells, y) =>
    cells.flatMap(([text, left]) => line(text, left, 20 + y * 14)),
  );
  const { tables } = findTables(buildSegments(words), { rules: [], fills: [] });
  return tables.map(({ rows }) => rows);
}

const row = (...texts: string[]): Cell[] => texts.map((text, at) => [text, at * 100]);

test("points of a chart are no table, but marks beside names are one", () => {
  const points = [row("●", "●", "●"), row("●", "●"), row("●", "●", "●"), row("●", "●")];
  const marks = [
    row("Town", "Harbour", "Airport"),
    row("Kiel", "×", "×"),
    row("Ulm", "–", "×"),
    row("Emden", "×", "–"),
  ];
  expect(rowsOf(points)).toEqual([]);
  expect(rowsOf(marks)).toEqual([marks.map((cells) => cells.map(([text]) => text))]);
});

test("a list is no table, whatever sign its bullets are", () => {
  const item = (text: string): Cell[] => [
    ["❼", 0],
    [text, 20],
  ];
  expect(rowsOf(["Hunter", "Hedges", "Sidik", "Jonkman"].map(item))).toEqual([]);
});

test("numbers in order before lines of text are those of a list", () => {
  const item = (text: string, at: number): Cell[][] => [
    [
      [`[${at + 7}]`, 0],
      [text, 45],
    ],
    [["which goes on in a second line", 45]],
  ];
  const works = ["Gardens of the northern coast", "Roads between the two harbours"];
  const all = [
    ...works,
    "Letters from a mill on the river",
    "What the old town hall was for",
  ];
  expect(rowsOf(all.flatMap(item))).toEqual([]);
});

test("a sentence below a table is no row of it, though its last word stands apart", () => {
  const table = [
    row("Town", "Boats", "Piers", "Since"),
    row("Kiel", "210", "14", "1233"),
    row("Emden", "80", "6", "800"),
    row("Husum", "45", "3", "1252"),
    row("Leer", "60", "4", "1823"),
    row("Norden", "35", "2", "1255"),
  ];
  const sentence: Cell[] = [
    ["for which one of the others can be calculated by hand here", 0],
    ["In the", 302],
  ];
  expect(rowsOf([...table, sentence])).toEqual([
    table.map((cells) => cells.map(([text]) => text)),
  ]);
});

test("names of people side by side, above the ways to reach them, are no table", () => {
  const people = [
    row("Ann Lee", "Bo Ritter"),
    row("Port Office", "City Works"),
    row("12 Quay Road", "3 Mill Lane"),
    row("ann@port.example", "bo@works.example"),
  ];
  expect(rowsOf(people)).toEqual([]);
  const places = [row("Town", "Office"), row("Kiel", "kiel@port.example")];
  const more = [row("Ulm", "ulm@port.example"), row("Emden", "emden@port.example")];
  expect(rowsOf([...places, ...more])).toEqual([
    [...places, ...more].map((cells) => cells.map(([text]) => text)),
  ]);
});

test("a table may have columns with few values beside those that nearly all rows fill", () => {
  const lines = [
    row("Time", "State", "Weight", "Mean", "Remark"),
    row("1", "0", "4"),
    row("2", "1", "3", "0.25", "first"),
    row("3", "0", "3"),
    row("4", "0", "2"),
    row("5", "1", "2", "0.75", "last"),
    row("6", "0", "1"),
    row("7", "0", "1"),
  ];
  expect(rowsOf(lines)).toEqual([
    lines.map((cells) => ["", "", "", "", ""].map((_, at) => cells[at]?.[0] ?? "")),
  ]);
});

test("lines of text are no cells, though their words stand apart", () => {
  const lines = [
    ["harbour master leads ships", "rivers flood meadows yearly"],
    ["channel which ebbs twice", "because meltwater comes down"],
    ["between sands where seals", "through valleys without dams"],
  ];
  const pieces = lines.flatMap((columns, y) =>
    columns.flatMap((text, column) =>
      line(text, column * 300, 20 + y * 14).map((word) => segmentOf([word])),
    ),
  );
  const asked = { spaced: false, headed: false };
  expect(areCells(pieces, [0, 300], asked)).toBe(false);
  const firsts = lines.flatMap((columns, y) =>
    columns.map((text, column) =>
      segmentOf(line(text.split(" ")[0] ?? "", column * 300, 20 + y * 14)),
    ),
  );
  expect(areCells(firsts, [0, 300], asked)).toBe(true);
});
