import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line, widthOf } from "./place-text.test-support.ts";

/** Names, set in at the rows of a part, and numbers with one right edge in each column. */
function rowsOf(
  lines: readonly (readonly [at: number, ...cells: string[]])[],
): string[][][] {
  const words = lines.flatMap(([at, name = "", ...cells]) => [
    ...line(name.trim(), name.startsWith(" ") ? 16 : 0, at),
    ...cells.flatMap((text, x) => line(text, 200 + x * 70 - widthOf(text), at)),
  ]);
  const { tables } = findTables(buildSegments(words), { rules: [], fills: [] });
  return tables.map(({ rows }) => rows);
}
const textsOf = (lines: readonly (readonly [number, ...string[]])[]) =>
  lines.map(([, name = "", ...cells]) => [
    name.trim(),
    ...["", "", "", ""].map((_, x) => cells[x] ?? ""),
  ]);

const HEAD = [20, "Town", "2022", "2023", "2024", "2025"] as const;
const NORTH = [
  [46, "Towns of the north"],
  [60, " Kiel", "210", "14", "123", "8"],
  [74, " Husum", "80", "6", "17", "5"],
  [88, "Total", "290", "20", "140", "13"],
] as const;
const SOUTH = [
  [116, "Towns of the south"],
  [130, " Ulm", "60", "4", "22", "3"],
  [144, "Total", "60", "4", "22", "3"],
] as const;

test("parts that space sets apart, each below its name, are one table", () => {
  const lines = [HEAD, ...NORTH, ...SOUTH];
  expect(rowsOf(lines)).toEqual([textsOf(lines)]);
});

test("a line after a table names no part of it where other columns follow", () => {
  const others = [
    [130, " Ulm", "harbour", "river", "bridge", "mill"],
    [144, " Lindau", "harbour", "lake", "island", "mill"],
  ] as const;
  const [first] = rowsOf([HEAD, ...NORTH, [116, "Towns of the south"], ...others]);
  expect(first).toEqual(textsOf([HEAD, ...NORTH]));
});
