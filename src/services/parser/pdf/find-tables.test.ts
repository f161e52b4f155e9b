import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import type { Word } from "./layout.ts";
import type { Fill, Rule } from "./page-content.ts";

const STYLE = { font: "f", bold: false, italic: false, mono: false };
const SIZE = 10;
/** Words of a text, five points a character, from `left` on the line whose baseline is `baseline`. */
function line(text: string, left: number, baseline: number): Word[] {
  let x = left;
  return text.split(" ").map((word, at) => {
    const placed = {
      text: word,
      left: x,
      right: x + word.length * 5,
      top: baseline - 8,
      bottom: baseline + 2,
      baseline,
      size: SIZE,
      style: STYLE,
      glued: false,
      raised: false,
      spaced: at > 0,
    };
    x = placed.right + 3;
    return placed;
  });
}
const level = (at: number, from: number, to: number): Rule => ({ horizontal: true, at, from, to });
const upright = (at: number, from: number, to: number): Rule => ({ horizontal: false, at, from, to });
const find = (words: Word[], { rules = [], fills = [] }: { rules?: Rule[]; fills?: Fill[] } = {}) =>
  findTables(buildSegments(words), { rules, fills });

/** Three columns at 0, 100 and 200; rows 20 apart, the first baseline at 15. */
const ROWS = [
  ["Town", "People", "Since"],
  ["Hamburg", "1.8", "1189"],
  ["Bremen", "0.5", "787"],
];
const words = ROWS.flatMap((row, y) => row.flatMap((cell, x) => line(cell, x * 100 + 5, 15 + y * 20)));

test("a grid of lines is a table, and what stands beside it is not in it", () => {
  const rules = [0, 20, 40, 60].map((y) => level(y, 0, 300)).concat([0, 100, 200, 300].map((x) => upright(x, 0, 60)));
  const { tables, rest } = find([...words, ...line("Below stands a sentence.", 5, 90)], { rules });
  expect(tables.map((table) => table.rows)).toEqual([ROWS]);
  expect(rest.flatMap((segment) => segment.words.map(({ text }) => text)).join(" ")).toBe("Below stands a sentence.");
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
  const more = [...words, ...line("Kiel", 5, 75), ...line("0.2", 105, 75), ...line("1242", 205, 75)];
  const fills = [0, 40].map((top) => ({ left: 0, right: 300, top, bottom: top + 20, colour: 0xeeeeee }));
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
  const frame = [level(0, 0, 300), level(100, 0, 300), upright(0, 0, 100), upright(300, 0, 100)];
  expect(find(line("One sentence in a box.", 20, 50), { rules: frame }).tables).toEqual([]);
  const list = ["first", "second", "third"].flatMap((text, y) => line(`• ${text}`, 0, 15 + y * 12));
  expect(find(list).tables).toEqual([]);
  const contents = ["Ahead", "Then", "Last"].flatMap((text, y) => [
    ...line(`${text} ..........`, 0, 15 + y * 12),
    ...line(String(y + 3), 250, 15 + y * 12),
  ]);
  expect(find(contents).tables).toEqual([]);
});
