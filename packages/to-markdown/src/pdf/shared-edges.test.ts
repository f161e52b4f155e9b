import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line } from "./place-text.test-support.ts";

const NAMES = [
  "Potosi Pupfish",
  "La Palma Pupfish",
  "Butterfly Splitfin",
  "Golden Skiffia",
];

test("a long cell as near to the next one as words are is parted where other rows have a column", () => {
  // those in the middle leave 9 points before the second column, in type of 10 points
  const words = NAMES.flatMap((name, y) => {
    const cells = line(name, 5, 15 + y * 20);
    const shift = y === 1 || y === 2 ? 96 - (cells.at(-1)?.right ?? 0) : 0;
    const moved = cells.map((word) => ({
      ...word,
      left: word.left + shift,
      right: word.right + shift,
    }));
    const next = line(`Cyprinodon${y} alvarezi`, 105, 15 + y * 20);
    return [...moved, ...next.map((word) => ({ ...word, spaced: true, begins: false }))];
  });
  const { tables } = findTables(buildSegments(words), { rules: [], fills: [] });
  expect(tables[0]?.rows).toEqual(
    NAMES.map((name, y) => [name, `Cyprinodon${y} alvarezi`]),
  );
});

test("names that nothing parts are those of the columns below that begin exactly with them", () => {
  const bold = (text: string, left: number, y: number) =>
    line(text, left, y).map((word) => ({ ...word, style: { ...word.style, bold: true } }));
  const names = bold("Vessel Clear Water Sugar Solution", 5, 15);
  const lefts = [0, 1, 3].map((at) => names[at]?.left ?? 0);
  const row = ["1", "16 ml", "2"].flatMap((cell, at) => line(cell, lefts[at] ?? 0, 32));
  const find = (words: typeof row) =>
    findTables(buildSegments(words), { rules: [], fills: [] }).tables.map(
      ({ rows }) => rows,
    );
  expect(find([...names, ...row])).toEqual([
    [
      ["Vessel", "Clear Water", "Sugar Solution"],
      ["1", "16 ml", "2"],
    ],
  ]);
  const beside = row.map((word) => ({
    ...word,
    left: word.left + 9,
    right: word.right + 9,
  }));
  expect(find([...names, ...beside])).toEqual([]);
});
