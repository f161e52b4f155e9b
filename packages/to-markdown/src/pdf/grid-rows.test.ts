import { expect, test } from "vitest";
import { findTables } from "./find-tables.ts";
import { buildSegments } from "./build-segments.ts";
import { level, line, upright } from "./place-text.test-support.ts";

const HEAD = ["State", "Permits", "Others"];
/** A grid with a line below every second row of six. */
const XS = [0, 100, 200, 300];
const YS = [0, 20, 46, 72, 98];
const rules = [...YS.map((at) => level(at, 0, 300)), ...XS.map((at) => upright(at, 0, 98))];

function rowsOf(rows: readonly (readonly string[])[]): string[][][] {
  const words = [HEAD, ...rows].flatMap((row, y) =>
    row.flatMap((text, x) =>
      text ? line(text, x * 100 + 5, y === 0 ? 13 : 18 + y * 13 + ((y + 1) % 2)) : [],
    ),
  );
  const { tables } = findTables(buildSegments(words), { rules, fills: [] });
  return tables.map((table) => table.rows);
}

test("rows of numbers in one cell of a grid are rows of their own", () => {
  const rows = [
    ["Alabama", "18,870", "859"],
    ["Alaska", "209", "191"],
    ["Arizona", "2,303", "707"],
    ["Arkansas", "3,298", "–"],
    ["California", "98", "4,559"],
    ["Colorado", "4,144", "932"],
  ];
  expect(rowsOf(rows)).toEqual([[HEAD, ...rows]]);
});

test("lines of one cell stay together, also where they are numbers", () => {
  const rows = [
    ["Alabama", "18,870", "859"],
    ["", "(0.3)", "(0.1)"],
    ["District of", "209", "191"],
    ["Columbia", "", ""],
    ["Arizona", "2,303", "707"],
    ["", "(0.7)", "(0.2)"],
  ];
  expect(rowsOf(rows)).toEqual([
    [
      HEAD,
      ["Alabama", "18,870 (0.3)", "859 (0.1)"],
      ["District of Columbia", "209", "191"],
      ["Arizona", "2,303 (0.7)", "707 (0.2)"],
    ],
  ]);
});
