import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { textOf, type Word } from "./layout.ts";
import type { Drawings } from "./chart-marks.ts";
import { level, line, upright } from "./place-text.test-support.ts";

const find = (words: Word[], drawn: Partial<Drawings>) => {
  const found = findTables(buildSegments(words), { rules: [], fills: [], ...drawn });
  const texts = (segments: typeof found.rest) => segments.map(textOf).toSorted();
  return {
    tables: found.tables.map(({ rows }) => rows),
    figures: found.figures.map(({ lines }) => texts(lines)),
    rest: texts(found.rest),
  };
};

const fill = (
  left: number,
  top: number,
  right: number,
  bottom: number,
  colour = 0x60a9,
) => ({
  left,
  top,
  right,
  bottom,
  colour,
});

/** Numbers from 30 to 0, whose right edges are at 40. */
const TICKS = ["30", "20", "10", "0"].flatMap((tick, at) =>
  line(tick, 40 - tick.length * 5, 103 + at * 30),
);
const NAMES = ["2019", "2020", "2021"].flatMap((name, at) => line(name, 60 + at * 60, 210));
const CAPTION = line("Figure 3: Visitors", 20, 80);
const BARS = [120, 150, 110].map((top, at) => fill(60 + at * 60, top, 80 + at * 60, 190));

test("bars with the numbers and names around them are a figure, and no table", () => {
  const values = ["23", "13", "26"].flatMap((value, at) =>
    line(value, 62 + at * 60, [118, 148, 108][at] ?? 0),
  );
  const prose = line("Fewer came in the second year because the road was closed.", 20, 240);
  const found = find([...CAPTION, ...values, ...NAMES, ...prose], { fills: BARS });
  expect(found).toEqual({
    tables: [],
    figures: [["13", "2019", "2020", "2021", "23", "26"]],
    rest: [
      "Fewer came in the second year because the road was closed.",
      "Figure 3: Visitors",
    ],
  });
});

test("two bars are a figure where they stand on an axis", () => {
  const fills = BARS.slice(0, 2);
  const names = NAMES.slice(0, 2);
  const rules = [level(190, 50, 160)];
  expect(find(names, { fills, rules }).figures).toEqual([["2019", "2020"]]);
  expect(find(names, { fills }).figures).toEqual([]);
});

test("lines at the height of numbers that fall evenly are the grid of a chart", () => {
  const rules = [100, 130, 160, 190].map((at) => level(at, 45, 240));
  const found = find([...CAPTION, ...TICKS, ...NAMES], { rules });
  expect(found.figures).toEqual([["0", "10", "20", "2019", "2020", "2021", "30"]]);
  expect(found.tables).toEqual([]);
});

test("numbers that fall evenly are a column where lines part the rows", () => {
  const rules = [88, 118, 148, 178, 208].map((at) => level(at, 10, 240));
  const cells = ["best", "good", "fair", "poor"].flatMap((cell, at) =>
    line(cell, 120, 103 + at * 30),
  );
  const found = find([...TICKS, ...cells], { rules });
  expect(found.figures).toEqual([]);
  expect(found.tables).toEqual([
    [
      ["30", "best"],
      ["20", "good"],
      ["10", "fair"],
      ["0", "poor"],
    ],
  ]);
});

test("slices that meet in a middle are a pie, whose legend belongs to it", () => {
  const curves = [
    fill(100, 100, 150, 200, 1),
    fill(50, 100, 100, 150, 2),
    fill(50, 145, 102, 200, 3),
  ];
  const keys = [1, 2, 3].map((colour, at) =>
    fill(220, 110 + at * 25, 226, 116 + at * 25, colour),
  );
  const legend = ["Forests and parks", "Fields", "Towns"].flatMap((name, at) =>
    line(name, 230, 117 + at * 25),
  );
  const shares = [...line("61 %", 155, 150), ...line("20 %", 30, 105)];
  const prose = line("The land is used so.", 300, 300);
  const found = find([...legend, ...shares, ...prose], { fills: keys, curves });
  expect(found.figures).toEqual([["20 %", "61 %", "Fields", "Forests and parks", "Towns"]]);
  expect(found.rest).toEqual(["The land is used so."]);
});

test("cells with a background are no bars, also where some span two rows", () => {
  const fills = [fill(0, 100, 80, 140), fill(80, 120, 160, 140), fill(160, 110, 240, 140)];
  const words = ["Town", "People", "Since"].flatMap((name, at) =>
    line(name, at * 80 + 5, 135),
  );
  expect(find(words, { fills }).figures).toEqual([]);
});

test("rows with a background are no bars, however many columns some span", () => {
  const fills = Array.from({ length: 12 }, (_, at) => {
    const right = [300, 100, 100, 200][at % 4] ?? 0;
    return fill(0, 100 + at * 20, right, 110 + at * 20);
  });
  const words = Array.from({ length: 12 }, (_, at) =>
    line("Total", 5, 108 + at * 20),
  ).flat();
  expect(find(words, { fills }).figures).toEqual([]);
});

test("rows whose cells are shaded one by one are no bars, whatever their widths", () => {
  const rows = ["Income", "Gain", "Loss", "Hedges", "Total", "Cash"].map((name, at) => [
    name,
    String(720 + at),
    String(290 - at),
  ]);
  const words = rows.flatMap(([name = "", first = "", second = ""], y) => [
    ...line(name, 20, 30 + y * 12),
    ...line(first, 150, 30 + y * 12),
    ...line(second, 220, 30 + y * 12),
  ]);
  const fills = [0, 2, 4].flatMap((y, at) => {
    const edges = [20, 140, 146, 200 + at * 4, 260];
    return edges
      .slice(1)
      .map((right, x) => fill(edges[x] ?? 0, 21 + y * 12, right, 33 + y * 12, 0xf1f2f2));
  });
  expect(find(words, { fills })).toEqual({ tables: [rows], figures: [], rest: [] });
});

test("bars in the cells of a table with lines leave it a table", () => {
  const rules = [90, 120, 150, 180]
    .map((at) => level(at, 0, 300))
    .concat([0, 100, 300].map((at) => upright(at, 90, 180)));
  const fills = [150, 220, 180].map((right, at) =>
    fill(105, 98 + at * 30, right, 112 + at * 30),
  );
  const words = ["North", "South", "West"].flatMap((name, at) => [
    ...line(name, 5, 110 + at * 30),
    ...line(String(at), 240, 110 + at * 30),
  ]);
  const found = find(words, { fills, rules });
  expect(found.figures).toEqual([]);
  expect(found.tables).toHaveLength(1);
});

test("numbers beside an axis without a grid are those of a figure", () => {
  const rules = [upright(45, 95, 192), level(191, 45, 240)];
  expect(find([...TICKS, ...NAMES], { rules }).figures).toHaveLength(1);
  expect(find([...TICKS, ...NAMES], {}).figures).toEqual([]);
});

test("backgrounds in the cells of a head are no bars, since lines between them go on below", () => {
  const fills = [110, 120, 130].map((top, at) =>
    fill(60 + at * 60, top, 100 + at * 60, 150),
  );
  const rules = [
    ...[100, 150, 170, 190].map((at) => level(at, 50, 230)),
    ...[50, 110, 170, 230].map((at) => upright(at, 100, 190)),
  ];
  const rows = [
    ["Name", "Share", "Year"],
    ["North", "12 %", "2020"],
    ["South", "30 %", "2021"],
  ];
  const words = rows.flatMap((cells, y) =>
    cells.flatMap((cell, x) => line(cell, 60 + x * 60, 145 + y * 20)),
  );
  const found = find(words, { fills, rules });
  expect(found.figures).toEqual([]);
  expect(found.rest).toEqual([]);
});
