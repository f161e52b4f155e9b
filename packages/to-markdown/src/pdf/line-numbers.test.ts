import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line, placeWord } from "./place-text.test-support.ts";
import { textOf } from "./layout.ts";

const small = (text: string, left: number, baseline: number) => ({
  ...placeWord(text, left, baseline, true),
  size: 6,
});
const LINES = ["let total = 0", "for each row", "add the row", "return total", "end"];
const find = (numbers: readonly (string | undefined)[], isSmall = true) =>
  findTables(
    buildSegments(
      LINES.flatMap((text, y) => {
        const number = numbers[y];
        const place = isSmall ? small : placeWord;
        return [
          ...(number === undefined ? [] : [place(number, 5, 15 + y * 14, true)]),
          ...line(text, 45, 15 + y * 14),
        ];
      }),
    ),
    { rules: [], fills: [] },
  );

test("numbers of lines in smaller type are no column of a table, and are kept", () => {
  const { tables, rest } = find(["98", "99", "100", "101", "102"]);
  expect(tables).toEqual([]);
  const text = rest.map(textOf).join(" ");
  for (const number of ["98", "100", "102"]) expect(text).toContain(number);
});

test("numbers of lines may be left out where a line goes on", () => {
  expect(find(["1", "2", undefined, "3", "4"]).tables).toEqual([]);
});

test("numbers in the size of the text, and those in no order, are a column", () => {
  expect(find(["1", "2", "3", "4", "5"], false).tables).toHaveLength(1);
  expect(find(["7", "3", "12", "4", "9"]).tables).toHaveLength(1);
});

test("a table between numbers of lines has none of them in its cells", () => {
  const rows = [
    ["Name", "Share", "Year"],
    ["North", "12 %", "2020"],
    ["South", "30 %", "2021"],
    ["West", "58 %", "2022"],
  ];
  const { tables } = findTables(
    buildSegments(
      rows.flatMap((cells, y) => [
        small(String(y + 31), 5, 15 + y * 14),
        ...cells.flatMap((cell, x) => line(cell, 60 + x * 80, 15 + y * 14)),
      ]),
    ),
    { rules: [], fills: [] },
  );
  expect(tables.map((table) => table.rows)).toEqual([rows]);
});

const page = (step: (at: number) => number) =>
  findTables(
    buildSegments([
      ...Array.from({ length: 12 }, (_, at) =>
        placeWord(String(at + 1), at < 9 ? 10 : 5, 15 + step(at), true),
      ).flat(),
      ...[1, 2, 3, 4, 6, 7, 8, 9].flatMap((at) =>
        line(`part ${at} of it`, 45, 15 + step(at)),
      ),
    ]),
    { rules: [], fills: [] },
  ).tables;

test("numbers from one at the edge of a page, of lines with and without text, are no column", () => {
  expect(page((at) => at * 14)).toEqual([]);
  expect(page((at) => at * 14 + (at % 2) * 3)).not.toEqual([]);
});
