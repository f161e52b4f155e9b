import fc from "fast-check";
import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Word } from "./layout.ts";
import { level, line, STYLE, upright } from "./place-text.test-support.ts";
import type { Fill, Rule } from "./page-content.ts";

const find = (
  words: Word[],
  { rules = [], fills = [] }: { rules?: Rule[]; fills?: Fill[] } = {},
) => findTables(buildSegments(words), { rules, fills });

/** Three columns at 0, 100 and 200; rows with a distance of 20, the first baseline at 15. */
const ROWS = [
  ["Town", "People", "Since"],
  ["Hamburg", "1.8", "1189"],
  ["Bremen", "0.5", "787"],
];
const words = ROWS.flatMap((row, y) =>
  row.flatMap((cell, x) => line(cell, x * 100 + 5, 15 + y * 20)),
);

test("a grid of lines is a table, and what stands beside it is not in it", () => {
  const rules = [0, 20, 40, 60]
    .map((y) => level(y, 0, 300))
    .concat([0, 100, 200, 300].map((x) => upright(x, 0, 60)));
  const { tables, rest } = find([...words, ...line("Below stands a sentence.", 5, 90)], {
    rules,
  });
  expect(tables.map((table) => table.rows)).toEqual([ROWS]);
  expect(rest.flatMap((segment) => segment.words.map(({ text }) => text)).join(" ")).toBe(
    "Below stands a sentence.",
  );
});

test("cells with a border each, and space between these, are a grid", () => {
  const rows = [
    ["Town", "People", "Since"],
    ["Hamburg", "", ""],
    ["", "", "787"],
  ];
  const cells = rows.flatMap((row, y) =>
    row.flatMap((cell, x) => (cell === "" ? [] : line(cell, x * 100 + 5, 12 + y * 20))),
  );
  const rules = rows.flatMap((row, y) =>
    row.flatMap((_, x) => {
      const [left, top] = [x * 100, y * 20];
      return [
        level(top, left, left + 96),
        level(top + 16, left, left + 96),
        upright(left, top, top + 16),
        upright(left + 96, top, top + 16),
      ];
    }),
  );
  expect(find(cells, { rules }).tables.map((table) => table.rows)).toEqual([rows]);
});

test("a grid whose first row and column alone are filled is a table", () => {
  const names = ["", "Read", "Write", "Print", "Send", "Copy"];
  const rows = [
    names,
    ...["Kiel", "Bonn", "Jena", "Suhl"].map((town) => [town, "", "", "", "", ""]),
  ];
  const cells = rows.flatMap((row, y) =>
    row.flatMap((cell, x) => (cell === "" ? [] : line(cell, x * 100 + 5, 15 + y * 20))),
  );
  const rules = [
    ...[0, 20, 40, 60, 80, 100].map((y) => level(y, 0, 600)),
    ...[0, 100, 200, 300, 400, 500, 600].map((x) => upright(x, 0, 100)),
  ];
  expect(find(cells, { rules }).tables.map((table) => table.rows)).toEqual([rows]);
});

test("lines that end beside each other, with no side of a cell between, are no grid", () => {
  const rules = [0, 60].flatMap((y) => [level(y, 0, 140), level(y, 145, 300)]);
  const { tables } = find([...line("One.", 5, 35), ...line("Two.", 155, 35)], { rules });
  expect(tables).toEqual([]);
});

/** A grid of lines over these places. */
const grid = (xs: readonly number[], ys: readonly number[]): Rule[] => [
  ...ys.map((y) => level(y, xs[0] ?? 0, xs.at(-1) ?? 0)),
  ...xs.map((x) => upright(x, ys[0] ?? 0, ys.at(-1) ?? 0)),
];

test("a grid in a cell is text of that cell, and one with more rows is the table", () => {
  const inner = [
    ...line("Old", 115, 42),
    ...line("New", 165, 42),
    ...line("1", 115, 62),
    ...line("2", 165, 62),
  ];
  const outer = [
    ...line("Town", 5, 15),
    ...line("Towers", 105, 15),
    ...line("Kiel", 5, 42),
  ];
  const small = grid([110, 160, 210], [30, 50, 70]);
  const { tables, rest } = find([...outer, ...line("Bremen", 5, 95), ...inner], {
    rules: [...grid([0, 100, 220], [0, 20, 80, 100]), ...small],
  });
  expect(tables.map(({ rows }) => rows)).toEqual([
    [
      ["Town", "Towers"],
      ["Kiel", "Old New 1 2"],
      ["Bremen", ""],
    ],
  ]);
  expect(rest).toEqual([]);
  const pairs = Array.from({ length: 5 }, (_, y) => [`a${y}`, `b${y}`]);
  const more = pairs.flatMap(([one = "", other = ""], y) => [
    ...line(one, 115, 42 + y * 20),
    ...line(other, 165, 42 + y * 20),
  ]);
  const long = find([...outer, ...more], {
    rules: [
      ...grid([0, 100, 220], [0, 20, 140]),
      ...grid([110, 160, 210], [30, 50, 70, 90, 110, 130]),
    ],
  });
  expect(long.tables.map(({ rows }) => rows)).toEqual([pairs]);
  expect(long.rest.flatMap(({ words: all }) => all.map(({ text }) => text))).toEqual([
    "Town",
    "Towers",
    "Kiel",
  ]);
});

test("cells that no line parts are one, which begins at the left and above", () => {
  const rules = [
    level(0, 0, 300),
    level(20, 0, 300),
    level(40, 100, 300),
    level(60, 0, 300),
    upright(0, 0, 60),
    upright(100, 20, 60),
    upright(200, 20, 60),
    upright(300, 0, 60),
  ];
  const merged = [
    ...line("All towns of the north", 80, 15),
    ...line("Hamburg", 5, 35),
    ...line("Bremen", 5, 55),
    ...line("1.8", 105, 35),
    ...line("0.5", 105, 55),
    ...line("1189", 205, 35),
    ...line("787", 205, 55),
  ];
  expect(find(merged, { rules }).tables[0]?.rows).toEqual([
    ["All towns of the north", "", ""],
    ["Hamburg Bremen", "1.8", "1189"],
    ["", "0.5", "787"],
  ]);
});

test("lines between rows alone, or backgrounds of every other row, make a table too", () => {
  const rules = [0, 20, 40, 60].map((y) => level(y, 0, 300));
  expect(find(words, { rules }).tables[0]?.rows).toEqual(ROWS);
  const more = [
    ...words,
    ...line("Kiel", 5, 75),
    ...line("0.2", 105, 75),
    ...line("1242", 205, 75),
  ];
  const fills = [0, 40].map((top) => ({
    left: 0,
    right: 300,
    top,
    bottom: top + 20,
    colour: 0xeeeeee,
  }));
  expect(find(more, { fills }).tables[0]?.rows).toEqual([...ROWS, ["Kiel", "0.2", "1242"]]);
});

test("short pieces in columns are a table without any line; columns of text are none", () => {
  expect(find(words).tables[0]?.rows).toEqual(ROWS);
  const text = Array.from({ length: 8 }, (_, y) => [
    ...line("this is a line of the left column of a page", 0, 15 + y * 12),
    ...line("and this is one of the right column of it", 300, 15 + y * 12),
  ]).flat();
  expect(find(text).tables).toEqual([]);
});

test("a frame around text, a list and a table of contents are no tables", () => {
  const frame = [
    level(0, 0, 300),
    level(100, 0, 300),
    upright(0, 0, 100),
    upright(300, 0, 100),
  ];
  expect(find(line("One sentence in a box.", 20, 50), { rules: frame }).tables).toEqual([]);
  const list = ["first", "second", "third"].flatMap((text, y) =>
    line(`• ${text}`, 0, 15 + y * 12),
  );
  expect(find(list).tables).toEqual([]);
  const contents = ["Ahead", "Then", "Last"].flatMap((text, y) => [
    ...line(`${text} ..........`, 0, 15 + y * 12),
    ...line(String(y + 3), 250, 15 + y * 12),
  ]);
  expect(find(contents).tables).toEqual([]);
});

test("cells of several lines are one row, set from the top or around the middle, where rows stand farther apart than lines", () => {
  const top = [
    line("Name", 5, 15),
    line("What it does", 105, 15),
    line("Since", 255, 15),
    line("reader", 5, 40),
    line("reads files of", 105, 40),
    line("many kinds", 105, 52),
    line("2024", 255, 40),
    line("writer", 5, 77),
    line("writes them", 105, 77),
    line("2025", 255, 77),
  ];
  const rows = [
    ["Name", "What it does", "Since"],
    ["reader", "reads files of many kinds", "2024"],
    ["writer", "writes them", "2025"],
  ];
  expect(find(top.flat()).tables[0]?.rows).toEqual(rows);
  const middle = [
    line("Name", 5, 15),
    line("What it does", 105, 15),
    line("Since", 255, 15),
    line("reader", 5, 46),
    line("reads files of", 105, 40),
    line("many kinds", 105, 52),
    line("2024", 255, 46),
    line("writer", 5, 77),
    line("writes them", 105, 77),
    line("2025", 255, 77),
  ];
  expect(find(middle.flat()).tables[0]?.rows).toEqual(rows);
});

test("a table in a column of text is found, though lines of the other column stand beside its rows", () => {
  const sentence = "this is a line of running text of a column";
  const left = Array.from({ length: 14 }, (_, y) => line(sentence, 0, 15 + y * 14));
  const right = Array.from({ length: 5 }, (_, y) => line(sentence, 300, 15 + y * 14));
  const table = ROWS.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, 305 + x * 70, 103 + y * 18)),
  );
  const below = Array.from({ length: 4 }, (_, y) => line(sentence, 300, 175 + y * 14));
  const { tables, rest } = find([...left, ...right, ...below].flat().concat(table));
  expect(tables.map(({ rows }) => rows)).toEqual([ROWS]);
  expect(rest).toHaveLength(23);
});

test("a column that only its heading names stays, empty", () => {
  const more = [...words, ...line("Port", 305, 15)];
  expect(find(more).tables[0]?.rows).toEqual(
    ROWS.map((row, y) => [...row, y === 0 ? "Port" : ""]),
  );
});

test("a path or a word that a cell's line parts is whole again", () => {
  const parted = [
    line("Name", 5, 15),
    line("Package", 105, 15),
    line("Use", 255, 15),
    line("one", 5, 46),
    line("@scope/", 105, 40),
    line("reader", 105, 52),
    line("prepa-", 255, 40),
    line("ration", 255, 52),
    line("two", 5, 77),
    line("scope", 105, 77),
    line("rest", 255, 77),
  ];
  expect(find(parted.flat()).tables[0]?.rows[1]).toEqual([
    "one",
    "@scope/reader",
    "preparation",
  ]);
});

test("whatever cells a table without lines has, each is where it stood", () => {
  const cell = fc.string({
    unit: fc.constantFrom(..."abcdefgh1234"),
    minLength: 1,
    maxLength: 12,
  });
  const table = fc.integer({ min: 2, max: 5 }).chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
      minLength: 3,
      maxLength: 8,
    }),
  );
  fc.assert(
    fc.property(table, fc.integer({ min: 13, max: 24 }), (rows, pitch) => {
      const placed = rows.flatMap((row, y) =>
        row.flatMap((text, x) => line(text, 5 + x * 90, 15 + y * pitch)),
      );
      expect(find(placed).tables.map((found) => found.rows)).toEqual([rows]);
    }),
    { numRuns: 200 },
  );
});

const sentences = (from: number) =>
  [
    "this is a line of running text over the whole",
    "width of it and here it goes on",
  ].flatMap((text, y) => line(text, 5, from + y * 12));

test("a frame around the page is no table, and the tables in it are found", () => {
  const frame = [
    level(0, 0, 320),
    level(400, 0, 320),
    upright(0, 0, 400),
    upright(320, 0, 400),
  ];
  const under = level(20, 10, 310);
  const lines = [85, 105, 125].map((at) => level(at, 10, 310));
  const placed = words.map((word) => ({
    ...word,
    top: word.top + 85,
    bottom: word.bottom + 85,
    baseline: word.baseline + 85,
  }));
  const all = [...sentences(40), ...placed, ...sentences(180)];
  const { tables, rest } = find(all, { rules: [...frame, under, ...lines] });
  expect(tables.map(({ rows }) => rows)).toEqual([ROWS]);
  expect(rest).toHaveLength(4);
});

test("frames that share a side end, though what is left of one looks the same again", () => {
  const lines = [
    level(4.5, 78.9, 507),
    upright(78.9, 4.5, 96.6),
    upright(507, 4.5, 244.4),
    level(38.2, 48.2, 79.6),
    level(96.6, 78.9, 507),
    level(101.5, 48.9, 507),
    upright(48.9, 101.5, 244.4),
    level(134.5, 7.6, 51),
    level(244.4, 48.9, 507),
  ];
  const text = [15, 27, 56, 80, 145, 160, 180, 200, 220].flatMap((at) =>
    line("the text of a page that runs on over the whole width of it", 90, at),
  );
  expect(find(text, { rules: lines }).tables).toEqual([]);
});

test("backgrounds of cells beside each other make a grid, without any line", () => {
  const fills = [0, 20, 40].flatMap((top) =>
    [0, 100, 200].map((left) => ({
      left,
      right: left + 98,
      top,
      bottom: top + 18,
      colour: 0xddeeff,
    })),
  );
  expect(find(words, { fills }).tables.map(({ rows }) => rows)).toEqual([ROWS]);
});

test("two tables of one width with a heading between them are two", () => {
  const second = ROWS.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, x * 100 + 5, 125 + y * 20)),
  );
  const fills = [20, 130].map((top) => ({
    left: 0,
    right: 300,
    top,
    bottom: top + 20,
    colour: 1,
  }));
  const heading = line("The second", 5, 98);
  const { tables, rest } = find([...words, ...heading, ...second], { fills });
  expect(tables.map(({ rows }) => rows)).toEqual([ROWS, ROWS]);
  expect(rest).toHaveLength(1);
});

test("a name at the left of its column stands over the numbers at the right of it", () => {
  const placed = [
    ...line("Town", 5, 15),
    ...line("People", 105, 15),
    ...line("Hamburg", 5, 35),
    ...line("1.8", 185, 35),
    ...line("Bremen", 5, 55),
    ...line("0.5", 185, 55),
  ];
  const rules = [0, 20, 60].map((at) => level(at, 0, 205));
  expect(find(placed, { rules }).tables[0]?.rows).toEqual(
    ROWS.map((row) => row.slice(0, 2)),
  );
});

test("columns of Hebrew are counted from the right", () => {
  const rows = [
    ["עיר", "אנשים"],
    ["נמל", "1.8"],
    ["גשר", "0.5"],
  ];
  const placed = rows.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, 105 - x * 100, 15 + y * 20)),
  );
  expect(find(placed).tables[0]?.rows).toEqual(rows);
});

test("rows below a first cell that covers them stay rows", () => {
  const placed = [
    ...line("Coast", 5, 35),
    ...line("1.8", 105, 35),
    ...line("1189", 205, 35),
    ...line("0.5", 105, 55),
    ...line("787", 205, 55),
    ...line("Inland", 5, 75),
    ...line("0.2", 105, 75),
    ...line("1242", 205, 75),
  ];
  expect(find(placed).tables[0]?.rows).toEqual([
    ["Coast", "1.8", "1189"],
    ["", "0.5", "787"],
    ["Inland", "0.2", "1242"],
  ]);
});

test("a name set between the rows that it covers joins none of them", () => {
  const placed = [
    ...line("Region", 5, 15),
    ...line("Town", 105, 15),
    ...line("People", 205, 15),
    ...line("Since", 305, 15),
    ...line("Bremen", 105, 31),
    ...line("0.5", 205, 31),
    ...line("787", 305, 31),
    ...line("Coast", 5, 38),
    ...line("Kiel", 105, 45),
    ...line("0.2", 205, 45),
    ...line("1242", 305, 45),
    ...line("Inland", 5, 59),
    ...line("Celle", 105, 59),
    ...line("0.1", 205, 59),
    ...line("1248", 305, 59),
  ];
  expect(find(placed).tables[0]?.rows).toEqual([
    ["Region", "Town", "People", "Since"],
    ["Coast", "Bremen", "0.5", "787"],
    ["", "Kiel", "0.2", "1242"],
    ["Inland", "Celle", "0.1", "1248"],
  ]);
});

test("numbered lists beside each other are no table", () => {
  const items = Array.from({ length: 5 }, (_, y) => [
    ...line(`${y + 1}. apples`, 5, 15 + y * 14),
    ...line(`${y + 1}. pears`, 155, 15 + y * 14),
  ]).flat();
  expect(find(items).tables).toEqual([]);
});

test("lists beside each other are no table, however many lines an item has", () => {
  const items = (marker: (at: number) => string, left: number) =>
    [0, 1, 2].flatMap((at) => [
      ...line(`${marker(at)} an item`, left, 40 + at * 52),
      ...[1, 2, 3].flatMap((more) =>
        line("that goes on", left + 10, 40 + at * 52 + more * 13),
      ),
    ]);
  const bullets = items(() => "•", 0);
  const { tables } = find([...bullets, ...items((at) => `${at + 1}.`, 160)]);
  expect(tables).toEqual([]);
});

test("long cells beside short ones are a table where its first row names them", () => {
  const bold = (words: Word[]) =>
    words.map((word) => ({ ...word, style: { ...STYLE, bold: true } }));
  const rows = [
    ["Supply", "From the old river over the council and the people of a town each year"],
    ["Growth", "Had taken near expected values of all the measured and compared results"],
  ];
  const body = rows.flatMap(([name = "", text = ""], y) => [
    ...line(name, 0, 33 + y * 18),
    ...line(text, 80, 33 + y * 18),
  ]);
  const head = bold([...line("Year", 0, 15), ...line("Report of", 80, 15)]);
  expect(find([...head, ...body]).tables.map((table) => table.rows)).toEqual([
    [["Year", "Report of"], ...rows],
  ]);
});

test("columns under Hebrew names are counted from the right, whatever their cells are", () => {
  const body = ["Emden", "Husum", "Stade"].flatMap((name, y) => [
    ...line(String(y + 7), 0, 35 + y * 20),
    ...line(name, 100, 35 + y * 20),
  ]);
  const { tables } = find([...line("המדידה", 0, 15), ...line("בעיר", 100, 15), ...body]);
  expect(tables[0]?.rows.slice(0, 2)).toEqual([
    ["בעיר", "המדידה"],
    ["Emden", "7"],
  ]);
});

test("names of columns that stand near each other are still the names of each", () => {
  const names = ["Years counted", "People in all", "Area"].flatMap((name, x) =>
    line(name, 5 + x * 72, 15),
  );
  const rows = [
    ["1990", "1,800", "755"],
    ["2000", "1,700", "755"],
    ["2010", "1,900", "756"],
  ];
  const body = rows.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, 5 + x * 72, 31 + y * 16)),
  );
  expect(find([...names, ...body]).tables[0]?.rows).toEqual([
    ["Years counted", "People in all", "Area"],
    ...rows,
  ]);
});

test("columns of which no row has both are one: numbers at the right, their name at the left", () => {
  const placed = [
    ...line("Town", 5, 15),
    ...line("People", 105, 15),
    ...line("Since", 305, 15),
    ...line("Kiel", 5, 35),
    ...line("246", 235, 35),
    ...line("1242", 305, 35),
    ...line("Hamburg", 5, 55),
    ...line("1,892,122", 205, 55),
    ...line("1189", 305, 55),
    ...line("Celle", 5, 75),
    ...line("69", 240, 75),
    ...line("1248", 305, 75),
  ];
  expect(find(placed).tables[0]?.rows).toEqual([
    ["Town", "People", "Since"],
    ["Kiel", "246", "1242"],
    ["Hamburg", "1,892,122", "1189"],
    ["Celle", "69", "1248"],
  ]);
});

test("numbers of a table in Hebrew have their sign before and their unit after them", () => {
  const rows = [
    ["עיר", "% 15"],
    ["נמל", "1.8-"],
    ["גשר", "€ 5"],
  ];
  const placed = rows.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, 105 - x * 100, 15 + y * 20)),
  );
  expect(find(placed).tables[0]?.rows.map((row) => row[1])).toEqual([
    "15 %",
    "-1.8",
    "5 €",
  ]);
});

test("rows of several cells may stand far apart, and one cell of many may be long", () => {
  const rows = [
    ["Town", "People", "Since", "Known for what"],
    ["Kiel", "246", "1242", "the regatta that is held there each summer"],
    ["Celle", "69", "1248", "horses and its old streets of timber and clay"],
  ];
  const placed = rows.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, 5 + x * 90, 15 + y * 34)),
  );
  expect(find(placed).tables.map((table) => table.rows)).toEqual([rows]);
});

test("a frame around the page is no part of the table in it", () => {
  const prose = Array.from({ length: 12 }, (_, at) =>
    line("It rained on most of the days of that long summer", 25, 40 + at * 12),
  ).flat();
  const cells = ROWS.flatMap((row, y) =>
    row.flatMap((cell, x) => line(cell, x * 100 + 30, 215 + y * 20)),
  );
  const rules = [
    ...[20, 300].map((at) => level(at, 0, 400)),
    ...[0, 400].map((at) => upright(at, 20, 300)),
    ...[200, 220, 240, 260].map((at) => level(at, 2, 398)),
    ...[20, 120, 220, 320].map((at) => upright(at, 200, 260)),
  ];
  const found = find([...prose, ...cells], { rules });
  expect(found.tables.map(({ rows }) => rows)).toEqual([ROWS]);
  expect(found.rest).toHaveLength(12);
});

test("a date over two lines of a cell stays one word", () => {
  const placed = [...words, ...line("2004-", 5, 75), ...line("10", 5, 85)];
  const rules = [
    ...[0, 20, 40, 60, 90].map((at) => level(at, 0, 300)),
    ...[0, 100, 200, 300].map((at) => upright(at, 0, 90)),
  ];
  expect(find(placed, { rules }).tables[0]?.rows.at(-1)?.[0]).toBe("2004-10");
});

test("a remark in smaller type below a row is text of the cell that it begins below", () => {
  const lefts = [5, 65, 165, 225, 285];
  const rows = [
    ["No", "Title", "Format", "Days", "Price"],
    ["1", "Two winters", "Film", "12", "250"],
    ["2", "A new year", "Play", "24", "150"],
    ["3", "Ice", "Film", "8", "300"],
  ];
  const small = (text: string, at: number) =>
    line(text, 65, at).map((word) => ({ ...word, size: 8, top: at - 6, bottom: at + 2 }));
  const cells = rows.flatMap((row, y) =>
    row.flatMap((text, x) => line(text, lefts[x] ?? 0, 15 + y * 25)),
  );
  const { tables } = find([
    ...cells,
    ...small("142 minutes with a break", 51),
    ...small("98 minutes without a break", 76),
  ]);
  expect(tables.map((table) => table.rows)).toEqual([
    [
      rows[0],
      ["1", "Two winters 142 minutes with a break", "Film", "12", "250"],
      ["2", "A new year 98 minutes without a break", "Play", "24", "150"],
      rows[3],
    ],
  ]);
});
