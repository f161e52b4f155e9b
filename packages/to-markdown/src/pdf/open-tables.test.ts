import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { joinRepeatedHeads } from "./repeated-heads.ts";
import { findTables } from "./find-tables.ts";
import type { Table, Word } from "./layout.ts";
import type { Fill, Rule } from "./page-content.ts";
import { level, line } from "./place-text.test-support.ts";

const LEFTS = [5, 105, 205];

/** Rows of cells in three columns, at the heights given. */
const rowsAt = (rows: readonly (readonly string[])[], heights: readonly number[]): Word[] =>
  rows.flatMap((row, y) =>
    row.flatMap((text, x) => (text ? line(text, LEFTS[x] ?? 0, heights[y] ?? 0) : [])),
  );
const bold = (words: Word[]): Word[] =>
  words.map((word) => ({ ...word, style: { ...word.style, bold: true } }));
const find = (
  words: Word[],
  { rules = [], fills = [] }: { rules?: Rule[]; fills?: Fill[] } = {},
) => findTables(buildSegments(words), { rules, fills }).tables.map(({ rows }) => rows);

const NAMES = ["Town", "People", "Since"];
const TOWNS = [
  ["Hamburg", "1.8", "1189"],
  ["Bremen", "0.5", "787"],
  ["Kiel", "0.2", "1242"],
  ["Emden", "0.1", "800"],
];

test("a table goes on below the background of its head, however far", () => {
  const heights = [15, 43, 71, 99, 127];
  const words = [...bold(rowsAt([NAMES], heights)), ...rowsAt(TOWNS, heights.slice(1))];
  const fills = [{ left: 0, top: 0, right: 300, bottom: 24, colour: 0xeeeeee }];
  expect(find(words, { fills })).toEqual([[NAMES, ...TOWNS]]);
});

test("lines under groups of columns part no table from what stands beside them", () => {
  const heights = [15, 35, 55, 75, 95];
  const words = rowsAt([NAMES, ...TOWNS], heights);
  const rules = [20, 80, 100].flatMap((at) => [level(at, 100, 160), level(at, 200, 260)]);
  expect(find(words, { rules })).toEqual([[NAMES, ...TOWNS]]);
});

test("lines that part some of the columns part the rows, beside a cell over several", () => {
  const words = rowsAt(
    [NAMES, ["", "1.8", "1189"], ["Hamburg", "1.7", "1900"], ["", "1.6", "1800"]],
    [15, 27, 39, 51],
  );
  const rules = [0, 18, 54].map((at) => level(at, 0, 300));
  const parts = [30, 42].map((at) => level(at, 60, 300));
  expect(find(words, { rules: [...rules, ...parts] })).toEqual([
    [NAMES, ["", "1.8", "1189"], ["Hamburg", "1.7", "1900"], ["", "1.6", "1800"]],
  ]);
});

test("lines drawn cell by cell tell the columns, and what stands below the last is no row", () => {
  const edges = [0, 100, 200, 300];
  const rules = [0, 20, 122].flatMap((at) =>
    edges.slice(1).map((to, index) => level(at, edges[index] ?? 0, to)),
  );
  // the first column is set at its right, against the second
  const words = [
    ...rowsAt([NAMES], [15]),
    ...TOWNS.flatMap(([town = "", ...others], y) => [
      ...line(town, 98 - town.length * 5, 37 + y * 18),
      ...rowsAt([["", ...others]], [37 + y * 18]),
    ]),
  ];
  const below = [...line("One", 15, 138), ...line("Two", 15, 152)];
  expect(find([...words, ...below], { rules })).toEqual([[NAMES, ...TOWNS]]);
});

test("bold names over a grid, where no lines are drawn, are its head", () => {
  const fills = TOWNS.flatMap((_, y) =>
    [0, 100, 200].map((left) => ({
      left,
      top: 20 + y * 20,
      right: left + 99,
      bottom: 39 + y * 20,
      colour: 0xdddddd,
    })),
  );
  const rows = rowsAt(TOWNS, [35, 55, 75, 95]);
  expect(find([...bold(rowsAt([NAMES], [15])), ...rows], { fills })).toEqual([
    [NAMES, ...TOWNS],
  ]);
  expect(find([...rowsAt([NAMES], [15]), ...rows], { fills })).toEqual([TOWNS]);
});

test("columns nearer to each other than words mostly are show in rows of as many cells", () => {
  const near = (texts: readonly string[], y: number) =>
    texts.flatMap((text, at) => line(text, [0, 44, 88][at] ?? 0, y));
  const rows = [
    ["Hamburg", "1889", "Elbe"],
    ["Dresden", "1206", "Elbe"],
    ["Koblenz", "0992", "Rhein"],
  ];
  const words = rows.flatMap((row, at) =>
    near(
      row.map((text) => text.padEnd(8, "x")),
      15 + at * 20,
    ),
  );
  expect(find(words)).toEqual([rows.map((row) => row.map((text) => text.padEnd(8, "x")))]);
});

test("a cell of two lines beside cells set around its middle is of their row", () => {
  const words = [
    ...bold(line("Old", 5, 10)),
    ...bold(rowsAt([["", "People", "Since"]], [15])),
    ...bold(line("town", 5, 20)),
    ...rowsAt(TOWNS, [45, 70, 95, 120]),
  ];
  expect(find(words)).toEqual([[["Old town", "People", "Since"], ...TOWNS]]);
});

test("a name halfway between two rows that it covers is of the first", () => {
  const words = [
    ...rowsAt(
      [NAMES, ...TOWNS.map(([, ...others]) => ["", ...others])],
      [15, 34, 53, 72, 91],
    ),
    ...line("Hamburg", 5, 43.5),
    ...line("Emden", 5, 81.5),
  ];
  expect(find(words)).toEqual([
    [
      NAMES,
      ["Hamburg", "1.8", "1189"],
      ["", "0.5", "787"],
      ["Emden", "0.2", "1242"],
      ["", "0.1", "800"],
    ],
  ]);
});

test("lines of cells far apart are of one row where rows stand farther apart", () => {
  const lines = [
    ["Town", "People", "What it is known for"],
    ["Hamburg", "1.8", "The harbour at the river, where"],
    ["", "", "ships of the world sail to"],
    ["Kiel", "0.2", "Sailing"],
    ["Bremen", "0.5", "Musicians who never came"],
    ["on Weser", "", ""],
    ["Emden", "", "Tea"],
  ];
  const words = rowsAt(lines, [15, 40, 56, 81, 106, 122, 147]);
  expect(find(words)).toEqual([
    [
      ["Town", "People", "What it is known for"],
      ["Hamburg", "1.8", "The harbour at the river, where ships of the world sail to"],
      ["Kiel", "0.2", "Sailing"],
      ["Bremen on Weser", "0.5", "Musicians who never came"],
      ["Emden", "", "Tea"],
    ],
  ]);
});

test("the lines of a head that the page before shows whole are put together", () => {
  const table = (rows: string[][]): Table => ({
    left: 0,
    top: 0,
    right: 300,
    bottom: 100,
    headed: true,
    columns: LEFTS,
    rows,
  });
  const pages = [
    [
      table([
        ["Town", "People in thousands"],
        ["Kiel", "247"],
      ]),
    ],
    [
      table([
        ["Town", "People in"],
        ["", "thousands"],
        ["Emden", "50"],
      ]),
    ],
    [
      table([
        ["Town", "People in"],
        ["Kiel", "thousands"],
        ["Emden", "50"],
      ]),
    ],
  ];
  joinRepeatedHeads(pages);
  expect(pages.map(([first]) => first?.rows)).toEqual([
    [
      ["Town", "People in thousands"],
      ["Kiel", "247"],
    ],
    [
      ["Town", "People in thousands"],
      ["Emden", "50"],
    ],
    [
      ["Town", "People in"],
      ["Kiel", "thousands"],
      ["Emden", "50"],
    ],
  ]);
});

test("rows with few cells between the same two lines are rows, where they stand apart", () => {
  const rows = [NAMES, ["Hamburg", "1.8", ""], ["Bremen", "", "787"], ["Kiel", "0.2", ""]];
  const rules = [0, 20, 80].map((at) => level(at, 0, 300));
  expect(find(rowsAt(rows, [15, 35, 55, 75]), { rules })).toEqual([rows]);
});

test("the head of a page above two lines is no row of the table below them", () => {
  const heights = [35, 55, 75, 95, 115];
  const head = [...line("The towns of the north", 5, 12), ...line("45", 285, 12)];
  const words = [...head, ...rowsAt([NAMES, ...TOWNS], heights)];
  const rules = [17, 24, 40, 122].map((at) => level(at, 0, 300));
  expect(find(words, { rules })).toEqual([[NAMES, ...TOWNS]]);
});

test("what stands far above the first line of a table is no row of it, unless it names the columns", () => {
  const rows = [
    ["Item", "Count", "Price", "Sum"],
    ["Kite", "2", "20.00", "40.00"],
    ["Boat", "5", "40.00", "200.00"],
  ];
  const place = (cells: readonly string[], baseline: number) =>
    cells.flatMap((cell, at) => (cell === "" ? [] : line(cell, 5 + at * 100, baseline)));
  const words = rows.flatMap((row, at) => place(row, 55 + at * 20));
  const rules = [42, 60, 100].map((at) => level(at, 0, 400));
  expect(
    find([...place(["Invoice 10", "", "", "May 8"], 22), ...words], { rules }),
  ).toEqual([rows]);
  const names = ["", "Number", "Euro", "Total"];
  expect(find([...place(names, 22), ...words], { rules })).toEqual([[names, ...rows]]);
});

test("lines of a text whose words stand apart by chance are no table, where the text goes on", () => {
  const lines = [
    ["minister", "the periodical now"],
    ["of the year", "jubilee of the town"],
    ["jubilee", "ran monthly since"],
    ["through", "december of that year"],
  ].flatMap((parts, y) => parts.flatMap((part, x) => line(part, 5 + x * 80, 35 + y * 14)));
  const full = (baseline: number) =>
    line("monthly papers of an order that was", 5, baseline);
  expect(find([...full(21), ...lines, ...full(91)])).toEqual([]);
  expect(find(lines)).toHaveLength(1);
});

test("a list that is numbered from one beside another column is no table", () => {
  const names = ["Winter", "Spring", "Summer", "Autumn"];
  const words = names.flatMap((name, y) => [
    ...line(name, 5, 15 + y * 20),
    ...line(`${y + 1}. ${name.toLowerCase()}`, 105, 15 + y * 20),
  ]);
  expect(find(words)).toEqual([]);
});

test("two rows are a table where names stand exactly above values in many columns", () => {
  const rows = (values: readonly string[], off = 0) =>
    [["From", "To", "Shows", "Amount"], values].flatMap((row, y) =>
      row.flatMap((text, x) => line(text, 5 + x * 70 + y * off, 15 + y * 14)),
    );
  const values = ["12/20/24", "12/31/24", "48", "$12"];
  expect(find(rows(values))).toEqual([[["From", "To", "Shows", "Amount"], values]]);
  expect(find(rows(values, 6))).toEqual([]);
  expect(find(rows(["home", "work", "films", "money"]))).toEqual([]);
});

test("a sentence above a table is no row, although its last word stands apart", () => {
  const sentence = [
    ...line("The people of each town and the year of its first mention in", 5, 0),
    ...line("books.", 330, 0),
  ];
  const lefts = [5, 105, 205, 305];
  const rows = [[...NAMES, "Harbour"], ...TOWNS.map((town) => [...town, "yes"])];
  const words = rows.flatMap((row, y) =>
    row.flatMap((text, x) => line(text, lefts[x] ?? 0, 15 + y * 14)),
  );
  expect(find([...sentence, ...words])).toEqual([rows]);
});

test("names of two lines above the first line of a table are one row", () => {
  const heights = [15, 27, 39, 51, 63];
  const rules = [level(30, 0, 300), level(68, 0, 300)];
  const words = (below: string[]) =>
    rowsAt([["Town", "People", "Since"], below, ...TOWNS.slice(0, 3)], heights);
  expect(find(words(["", "in millions", "(year)"]), { rules })[0]?.[0]).toEqual([
    "Town",
    "People in millions",
    "Since (year)",
  ]);
  expect(find(words(["North", "", ""]), { rules })[0]?.[0]).toEqual(NAMES);
});
