import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line } from "./place-text.test-support.ts";

function rowsOf(rows: readonly (readonly string[])[]): string[][][] {
  const words = rows.flatMap((cells, y) =>
    cells.flatMap((text, x) => (text ? line(text, x * 160, 20 + y * 14) : [])),
  );
  const { tables } = findTables(buildSegments(words), { rules: [], fills: [] });
  return tables.map(({ rows }) => rows);
}

test("a name whose values stand beside its last line is one name", () => {
  const [head, cash, debt] = [
    ["Item", "2024", "2025"],
    ["Cash", "210", "180"],
    ["Debt", "90", "75"],
  ];
  expect(
    rowsOf([
      head,
      cash,
      ["Paid by partners for", "", ""],
      ["other works", "12", "15"],
      debt,
    ]),
  ).toEqual([[head, cash, ["Paid by partners for other works", "12", "15"], debt]]);
});

test("a line that names the rows below it stays apart", () => {
  const rows = [
    ["Item", "2024", "2025"],
    ["Cash", "210", "180"],
    ["Paid by partners:", "", ""],
    ["other works", "12", "15"],
    ["Debt", "90", "75"],
  ];
  expect(rowsOf(rows)).toEqual([rows]);
  const lower = rows.map((cells, at) =>
    at === 2 ? ["Kinds of works", "", ""] : cells.map((text) => text.toLowerCase()),
  );
  expect(rowsOf(lower)).toEqual([lower]);
});
