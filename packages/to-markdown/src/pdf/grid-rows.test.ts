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

test("a name above rows of numbers in one cell is a row of its own where these are set in", () => {
  const xs = [0, 100, 200, 300];
  const ys = [0, 20, 66, 112, 158];
  const groups = [
    ["North", "Kiel", "Emden"],
    ["South", "Ulm", "Passau"],
    ["East", "Jena", "Gera"],
  ];
  const words = [
    ...HEAD.flatMap((text, x) => line(text, x * 100 + 5, 13)),
    ...groups.flatMap(([name = "", ...towns], group) => [
      ...line(name, 5, 33 + group * 46),
      ...towns.flatMap((town, at) =>
        [town, `${group}.${at}`, `${at}7`].flatMap((text, x) =>
          line(text, x * 100 + (x === 0 ? 15 : 5), 47 + group * 46 + at * 13),
        ),
      ),
    ]),
  ];
  const drawn = [
    ...ys.map((at) => level(at, 0, 300)),
    ...xs.map((at) => upright(at, 0, 158)),
  ];
  const { tables } = findTables(buildSegments(words), { rules: drawn, fills: [] });
  expect(tables.map((table) => table.rows)).toEqual([
    [
      HEAD,
      ["North", "", ""],
      ["Kiel", "0.0", "07"],
      ["Emden", "0.1", "17"],
      ["South", "", ""],
      ["Ulm", "1.0", "07"],
      ["Passau", "1.1", "17"],
      ["East", "", ""],
      ["Jena", "2.0", "07"],
      ["Gera", "2.1", "17"],
    ],
  ]);
});

test("lines that part only groups of rows and of columns hide none of these", () => {
  const head = ["Model", "first", "second", "third", "fourth"];
  const rows = [
    ["size", "1.02", "0.25", "1.19", "0.40"],
    ["age", "0.16", "0.36", "0.21", "0.73"],
    ["sex", "0.24", "0.14", "0.31", "0.90"],
    ["AIC", "359", "360", "361", "362"],
    ["BIC", "459", "460", "461", "462"],
    ["rows", "88", "88", "89", "89"],
    ["towns", "12", "13", "13", "14"],
  ];
  const words = [head, ...rows].flatMap((row, y) =>
    row.flatMap((text, x) => line(text, x * 60 + 5, 13 + y * 16)),
  );
  const drawn = [
    ...[0, 20, 67, 99, 132].map((at) => level(at, 0, 300)),
    ...[0, 60, 180, 300].map((at) => upright(at, 0, 132)),
  ];
  const { tables } = findTables(buildSegments(words), { rules: drawn, fills: [] });
  expect(tables.map((table) => table.rows)).toEqual([[head, ...rows]]);
});

test("rows of marks in one row of a grid are rows of their own", () => {
  const head = ["Program", "Mac", "Unix", "Web"];
  const rows = [
    ["Basic colours", "×", "×", "×"],
    ["Shapes", "", "×", ""],
    ["Shades of grey", "×", "", "(×)"],
    ["Links", "", "×", "×"],
  ];
  const words = [
    ...["", "", "Systems", ""].flatMap((text, x) =>
      text ? line(text, x * 100 + 5, 13) : [],
    ),
    ...["", "", "alone", ""].flatMap((text, x) =>
      text ? line(text, x * 100 + 5, 33) : [],
    ),
    ...head.flatMap((text, x) => line(text, x * 100 + 5, 53)),
    ...rows.flatMap((row, y) =>
      row.flatMap((text, x) => (text ? line(text, x * 100 + 5, 73 + y * 13) : [])),
    ),
  ];
  const drawn = [
    ...[0, 20, 40, 60, 120].map((at) => level(at, 0, 400)),
    ...[0, 100, 200, 300, 400].map((at) => upright(at, 0, 120)),
  ];
  const { tables } = findTables(buildSegments(words), { rules: drawn, fills: [] });
  expect(tables.map((table) => table.rows.slice(2))).toEqual([[head, ...rows]]);
});
