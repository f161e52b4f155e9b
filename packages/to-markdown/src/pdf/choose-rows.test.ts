import { expect, test } from "vitest";
import { buildSegments, linesOfWords, segmentOf } from "./build-segments.ts";
import { chooseRows, rowsBetweenLines } from "./choose-rows.ts";
import { type Segment, textOf, type Word } from "./layout.ts";

const STYLE = { font: "f", bold: false, italic: false, mono: false };
/** The left edges of the columns of the tables below. */
const STARTS = [0, 50, 90, 130];

/** A line of a cell, with five points per character, in the column `column` at the height `at`. */
function cell(text: string, column: number, at: number): Word[] {
  let left = STARTS[column] ?? 0;
  return text.split(" ").map((word, order) => {
    const right = left + word.length * 5;
    const baseline = 20 + at * 12;
    const place = { left, right, top: baseline - 8, bottom: baseline + 2, baseline };
    left = right + 3;
    const marks = { glued: false, script: false, spaced: order > 0, begins: order === 0 };
    return { text: word, ...place, size: 10, style: STYLE, ...marks };
  });
}

/** The bands of lines, each a list of cells by column. */
const bandsOf = (lines: readonly (readonly (string | undefined)[])[]): Segment[][] =>
  lines.map((line, at) =>
    buildSegments(line.flatMap((text, column) => (text ? cell(text, column, at) : []))),
  );

const textsOf = (rows: Word[][][]): string[][] =>
  rows.map((row) =>
    row.map((words) => linesOfWords(words).map(segmentOf).map(textOf).join(" ")),
  );

test("lines of cells join their row though no space tells the rows apart", () => {
  const bands = bandsOf([
    ["Town", "Size", "Since", "What it is known for"],
    ["Ham-", "1.8", "1189", "The harbour at the river"],
    ["burg", undefined, undefined, "that all the ships sail to"],
    ["Kiel", "0.2", "1233", "Sailing"],
  ]);
  expect(textsOf(chooseRows(bands, STARTS))).toEqual([
    ["Town", "Size", "Since", "What it is known for"],
    ["Ham- burg", "1.8", "1189", "The harbour at the river that all the ships sail to"],
    ["Kiel", "0.2", "1233", "Sailing"],
  ]);
});

test("cells that stand around the middle of their row join the lines above and below", () => {
  const bands = bandsOf([
    ["Town", "Size", "Since", "Known for"],
    [undefined, undefined, undefined, "The harbour at the river"],
    ["Bonn", "0.3", "1243", "that all the ships sail to"],
    [undefined, undefined, undefined, "in each of the summers"],
    [undefined, undefined, undefined, "Sailing boats, and more than"],
    ["Kiel", "0.2", "1233", "anything its long canal, which"],
    [undefined, undefined, undefined, "leads to the other of the seas"],
  ]);
  expect(textsOf(chooseRows(bands, STARTS))).toEqual([
    ["Town", "Size", "Since", "Known for"],
    [
      "Bonn",
      "0.3",
      "1243",
      "The harbour at the river that all the ships sail to in each of the summers",
    ],
    [
      "Kiel",
      "0.2",
      "1233",
      "Sailing boats, and more than anything its long canal, which leads to the other of the seas",
    ],
  ]);
});

test("a name that stands alone in the first column stays a row", () => {
  const lines = [
    ["Town", "Size", "Since", "Known for"],
    ["North", undefined, undefined, undefined],
    ["Kiel", "0.2", "1233", "Sailing"],
    ["South", undefined, undefined, undefined],
    ["Ulm", "0.1", "1181", "A tower"],
  ];
  expect(textsOf(chooseRows(bandsOf(lines), STARTS))).toEqual(
    lines.map((row) => row.map((text) => text ?? "")),
  );
});

const NUMBERS = [
  ["1", "100", "7", "107"],
  ["2", "101", "8", "109"],
  ["3", "102", undefined, undefined],
  ["4", "103", undefined, undefined],
];
const ROWS_OF_NUMBERS = NUMBERS.map((row) => row.map((text) => text ?? ""));

test("rows of numbers stay apart though little is in the last of them", () => {
  expect(textsOf(chooseRows(bandsOf(NUMBERS), STARTS))).toEqual(ROWS_OF_NUMBERS);
});

test("rows of numbers between two lines stay apart, and lines of a cell stay together", () => {
  expect(textsOf(rowsBetweenLines(bandsOf(NUMBERS), STARTS))).toEqual(ROWS_OF_NUMBERS);
  const estimate = bandsOf([
    ["Age", "1.2", "0.9", "1.4"],
    [undefined, "(0.3)", "(0.2)", "(0.5)"],
  ]);
  expect(textsOf(rowsBetweenLines(estimate, STARTS))).toEqual([
    ["Age", "1.2 (0.3)", "0.9 (0.2)", "1.4 (0.5)"],
  ]);
});

test("a name of several lines goes on in lower case where the line above had no room for it", () => {
  const bands = bandsOf([
    ["Name", "Sign", "From", "Kind"],
    ["Weight", "w", "1.84", "vector"],
    ["Sum of", "cu", "1.49", "vector"],
    ["other", undefined, undefined, undefined],
    ["towns", undefined, undefined, undefined],
    ["Factor", "L", "1.18", "matrix"],
    ["Of all", undefined, undefined, undefined],
    ["Rest", "r", "1.19", "number"],
  ]);
  expect(textsOf(chooseRows(bands, STARTS))).toEqual([
    ["Name", "Sign", "From", "Kind"],
    ["Weight", "w", "1.84", "vector"],
    ["Sum of other towns", "cu", "1.49", "vector"],
    ["Factor", "L", "1.18", "matrix"],
    ["Of all", "", "", ""],
    ["Rest", "r", "1.19", "number"],
  ]);
});

test("a row of numbers is no line of the names of columns above it", () => {
  const rows = [
    [undefined, "Bought", undefined, "Sold"],
    [undefined, "2023", "2024", "2023"],
    ["Grain", "1,040", "98", "310"],
    ["Wool", "72", "55", "295"],
    ["Salt", "310", "12", "61"],
  ];
  expect(textsOf(chooseRows(bandsOf(rows), STARTS))).toEqual(
    rows.map((row) => row.map((text) => text ?? "")),
  );
});
