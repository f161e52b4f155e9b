import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { joinParts } from "./join-parts.ts";
import type { Table } from "./layout.ts";
import { level, line } from "./place-text.test-support.ts";

const HEAD = ["", "first", "second"];
const NORTH = [
  ["Kiel", "yes", "no"],
  ["Emden", "no", "no"],
  ["Wismar", "yes", "yes"],
  ["Rostock", "no", "yes"],
  ["Husum", "no", "no"],
];
const SOUTH = [
  ["Ulm", "no", "some"],
  ["Passau", "yes", "no"],
  ["Lindau", "yes", "no"],
];
const row = (texts: readonly string[], at: number) =>
  texts.flatMap((text, x) => (text ? line(text, x * 100 + 5, at) : []));
const words = [
  ...row(HEAD, 16),
  ...row(["Towns of the north"], 38),
  ...NORTH.flatMap((texts, y) => row(texts, 61 + y * 13)),
  ...row(["Towns of the south"], 141),
  ...SOUTH.flatMap((texts, y) => row(texts, 164 + y * 13)),
];
const rules = [25, 127, 200].map((at) => level(at, 0, 300));

test("parts of a table under names of their own, with a line above each, are one table", () => {
  const { tables } = findTables(buildSegments(words), { rules, fills: [] });
  expect(tables.map((table) => table.rows)).toEqual([
    [
      HEAD,
      ["Towns of the north", "", ""],
      ...NORTH,
      ["Towns of the south", "", ""],
      ...SOUTH,
    ],
  ]);
});

const part = (top: number, rows: string[][]): Table => ({
  left: 0,
  right: 300,
  top,
  bottom: top + rows.length * 12,
  rows,
  headed: true,
  columns: [0, 95, 195],
});

test("tables with a head of their own, or with text between them, stay apart", () => {
  const first = part(0, [HEAD, ...NORTH]);
  const headed = part(94, [HEAD, ...SOUTH]);
  const named = part(94, [["South", "", ""], ...SOUTH]);
  const between = buildSegments(line("The south has other towns.", 5, 86));
  expect(joinParts([first, headed], [])).toEqual([first, headed]);
  expect(joinParts([first, named], between)).toEqual([first, named]);
  expect(joinParts([first, named], []).map(({ rows }) => rows.length)).toEqual([10]);
});

test("a part with other columns, or far below, is a table", () => {
  const first = part(0, [HEAD, ...NORTH]);
  const named = [["South", "", ""], ...SOUTH];
  const wider = { ...part(94, named), columns: [0, 210, 260] };
  expect(joinParts([first, wider], [])).toHaveLength(2);
  expect(joinParts([first, part(160, named)], [])).toHaveLength(2);
});
