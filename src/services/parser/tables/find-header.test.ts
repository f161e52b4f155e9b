import { expect, test } from "vitest";
import { findHeader, uniqueNames } from "./find-header.ts";

test("the first row of words as wide as the table names the columns", () => {
  const rows = [
    ["Report 2025", null, null],
    [null, null, null],
    ["Customer", "Amount", "Day"],
    ["Ada", "12.5", "2025-01-01"],
  ];
  expect(findHeader(rows)).toEqual({
    at: 2,
    names: ["Customer", "Amount", "Day"],
    above: ["Report 2025"],
  });
});

test("a table that begins with values has no names, and loses no row", () => {
  const rows = [
    ["1", "2025-01-01", "a"],
    ["2", "2025-01-02", "b"],
  ];
  expect(findHeader(rows)).toMatchObject({
    at: -1,
    names: ["column 1", "column 2", "column 3"],
  });
});

test("years name columns, where a word stands before them", () => {
  const rows = [
    ["Region", "2023", "2024"],
    ["North", "5", "6"],
  ];
  expect(findHeader(rows)).toMatchObject({ at: 0, names: ["Region", "2023", "2024"] });
});

test("names are unique for SQL, and can be written between quotes", () => {
  expect(uniqueNames(["Name", "name", null, 'in "quotes"', " a\n b ", "\u0000"])).toEqual([
    "Name",
    "name 2",
    "column 3",
    "in 'quotes'",
    "a b",
    "column 6",
  ]);
});
