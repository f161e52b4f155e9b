import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line } from "./place-text.test-support.ts";

const TITLES = [
  "Introduction",
  "Changing practices",
  "Core and periphery",
  "The child as consumer",
  "Domesticating play",
  "The child in the city",
];
const find = (rows: readonly (readonly string[])[]) =>
  findTables(
    buildSegments(
      rows.flatMap(([title = "", number = ""], y) => [
        ...line(title, 5, 15 + y * 14),
        ...(number ? line(number, 295 - number.length * 5, 15 + y * 14) : []),
      ]),
    ),
    { rules: [], fills: [] },
  ).tables.map((table) => table.rows);
const withNumbers = (numbers: readonly string[]) =>
  TITLES.map((title, at) => [title, numbers[at] ?? ""]);

test("titles with the numbers of their pages are no table", () => {
  const contents = withNumbers(["vii", "7", "12", "21", "26", "130"]);
  expect(find(contents)).toEqual([]);
  expect(find([["Chapter", "Page"], ...contents])).toEqual([]);
});

test("rows whose numbers fall, rise by even steps or have a name are a table", () => {
  for (const numbers of [
    ["7", "5", "12", "21", "3", "130"],
    ["1", "2", "3", "4", "5", "6"],
  ])
    expect(find(withNumbers(numbers))).toEqual([withNumbers(numbers)]);
  const counted = [
    ["Activity", "Children"],
    ...withNumbers(["7", "9", "12", "21", "26", "80"]),
  ];
  expect(find(counted)).toEqual([counted]);
});

test("few titles with pages below the name of the contents are no table", () => {
  const few = withNumbers(["1", "2", "3"]).slice(0, 3);
  expect(find(few)).toEqual([few]);
  expect(find([["Table of contents", ""], ...few])).toEqual([]);
});

test("terms in the order of the alphabet with their pages are an index, not a table", () => {
  const pages = ["4, 12", "7, 9–11, 30", "8", "5, 6, 18", "2, 40", "3, 17"];
  const terms = ["Agents", "Budgets", "Costs", "Documents", "Events", "Folders", "Groups"];
  const index = pages.map((page, at) => [terms[at] ?? "", page]);
  expect(find(index)).toEqual([]);
  const mixed = [3, 0, 5, 1, 4, 2].map((at) => index[at] ?? []);
  expect(find(mixed)).toEqual([mixed]);
});
