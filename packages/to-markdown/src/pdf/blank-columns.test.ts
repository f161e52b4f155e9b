import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { level, line } from "./place-text.test-support.ts";

const LEFTS = [5, 150, 200, 250];
const rules = [0, 20, 160].map((y) => level(y, 0, 350));
const find = (rows: readonly (readonly string[])[], step: number) =>
  findTables(
    buildSegments(
      rows.flatMap((row, y) =>
        row.flatMap((cell, x) => (cell ? line(cell, LEFTS[x] ?? 0, 15 + y * step) : [])),
      ),
    ),
    { rules, fills: [] },
  ).tables.map((table) => table.rows);

const NAMES = ["Question", "Yes", "No", "Remarks"];
const questions = ["cabinet", "light", "tap", "gate", "roof", "lift", "shop"].map(
  (thing) => [`Is the ${thing} shut`, "", "", ""],
);

test("columns that are to be filled in are those of the names between the first two lines", () => {
  expect(find([NAMES, ...questions], 20)).toEqual([[NAMES, ...questions]]);
});

test("text below a line with several pieces is no table, where its lines are near or too long", () => {
  expect(find([NAMES, ...questions], 12)).toEqual([]);
  const long = questions.map(([text = ""]) => [`${text} and who shut it yesterday`]);
  expect(find([NAMES, ...long], 20)).toEqual([]);
});
