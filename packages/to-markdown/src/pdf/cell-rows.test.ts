import { expect, test } from "vitest";
import { buildSegments, linesOfWords, segmentOf } from "./build-segments.ts";
import { rowsOfCells } from "./cell-rows.ts";
import { type Segment, textOf, type Word } from "./layout.ts";
import { line } from "./place-text.test-support.ts";

const STARTS = [0, 100, 200];

/** Texts with their places: the column, and the height in lines of 12 points. */
const piecesOf = (texts: readonly (readonly [string, number, number])[]): Segment[] =>
  buildSegments(
    texts.flatMap(([text, column, at]) =>
      line(text, (STARTS[column] ?? 0) + 2, 20 + at * 12),
    ),
  );

const textsOf = (rows: Word[][][] | undefined): string[][] | undefined =>
  rows?.map((row) =>
    row.map((words) => linesOfWords(words).map(segmentOf).map(textOf).join(" ")),
  );

test("lines as near as those of a text are one cell, and cells around one middle one row", () => {
  const pieces = piecesOf([
    ["Town", 0, 0],
    ["Known for", 1, 0],
    ["Kiel", 0, 3],
    ["Boats and", 1, 2],
    ["more than", 1, 3],
    ["canals", 1, 4],
    ["0.2", 2, 3],
    ["Bonn", 0, 6.5],
    ["The river", 1, 6],
    ["Rhine", 1, 7],
    ["0.3", 2, 6.5],
  ]);
  expect(textsOf(rowsOfCells(pieces, STARTS))).toEqual([
    ["Town", "Known for", ""],
    ["Kiel", "Boats and more than canals", "0.2"],
    ["Bonn", "The river Rhine", "0.3"],
  ]);
});

test("a name in the middle of several rows is in the first of them", () => {
  const pieces = piecesOf([
    ["Saxony", 0, 1.75],
    ["Leipzig on", 1, 0],
    ["the Pleisse", 1, 1],
    ["0.6", 2, 0.5],
    ["Dresden", 1, 3.5],
    ["0.5", 2, 3.5],
    ["Hesse", 0, 5.5],
    ["Kassel", 1, 5.5],
    ["0.2", 2, 5.5],
  ]);
  expect(textsOf(rowsOfCells(pieces, STARTS))).toEqual([
    ["Saxony", "Leipzig on the Pleisse", "0.6"],
    ["", "Dresden", "0.5"],
    ["Hesse", "Kassel", "0.2"],
  ]);
});

test("a name whose values stand beside its last line is no cell of two lines", () => {
  const pieces = piecesOf([
    ["District 1", 0, 0],
    ["Kiel", 0, 1],
    ["sailing", 1, 1],
    ["District 2", 0, 2.5],
    ["Bonn", 0, 3.5],
    ["music", 1, 3.5],
  ]);
  expect(rowsOfCells(pieces, STARTS)).toBeUndefined();
});

test("rows that no name is beside, and numbers as near as lines, are not told apart by cells", () => {
  const below = piecesOf([
    ["Wives", 0, 0],
    ["Anne of", 1, 0],
    ["Kent", 1, 1],
    ["Mary", 1, 2.5],
    ["Heirs", 0, 4],
    ["None", 1, 4],
  ]);
  expect(rowsOfCells(below, STARTS)).toBeUndefined();
  const numbers = piecesOf([
    ["Kiel", 0, 0],
    ["0.2", 1, 0],
    ["0.3", 1, 1],
    ["Bonn", 0, 3],
    ["0.4", 1, 3],
  ]);
  expect(rowsOfCells(numbers, STARTS)).toBeUndefined();
});
