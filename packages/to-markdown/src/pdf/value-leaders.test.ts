import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line } from "./place-text.test-support.ts";

/** Names that points lead from to their values, in columns whose right edges are given. */
function rowsOf(
  rows: readonly (readonly string[])[],
  rights: readonly number[],
): string[][][] {
  const words = rows.flatMap(([name = "", ...values], y) => [
    ...line(name, 0, 20 + y * 14),
    ...values.flatMap((text, x) =>
      text ? line(text, (rights[x] ?? 0) - text.length * 5, 20 + y * 14) : [],
    ),
  ]);
  const { tables } = findTables(buildSegments(words), { rules: [], fills: [] });
  return tables.map(({ rows }) => rows);
}

const YEARS = ["", "2024", "2025"];

test("points that lead to values of several columns are no part of a table", () => {
  const rows = [
    ["Grain", "1,040", "988"],
    ["Timber", "72", "–"],
    ["Salt and sugar", "310", "295"],
    ["Wool", "5", "6"],
  ];
  const points = (name = "") => `${name} ${". ".repeat(20 - name.length)}.`;
  const led = rows.map(([name, ...values]) => [points(name), ...values]);
  expect(rowsOf([YEARS, ...led], [300, 380])).toEqual([[YEARS, ...rows]]);
  const close = rows.map(([name = "", ...values]) => [
    name + ".".repeat(36 - name.length),
    ...values,
  ]);
  expect(rowsOf([YEARS, ...close], [300, 380])).toEqual([[YEARS, ...rows]]);
});

test("points that lead to amounts, up to these, are so too, but not those that lead to pages", () => {
  const led = (values: readonly string[]) =>
    ["Grain", "Timber", "Salt", "Wool"].map((name, at) => [
      `${name}${".".repeat(30 - name.length)}`,
      values[at] ?? "",
    ]);
  expect(rowsOf(led(["1,040", "72", "3,100", "5,006"]), [220])).toEqual([
    [
      ["Grain", "1,040"],
      ["Timber", "72"],
      ["Salt", "3,100"],
      ["Wool", "5,006"],
    ],
  ]);
  expect(rowsOf(led(["4", "18", "31", "104"]), [220])).toEqual([]);
});
