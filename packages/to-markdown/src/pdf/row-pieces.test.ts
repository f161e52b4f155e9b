import { expect, test } from "vitest";
import { segmentOf } from "./build-segments.ts";
import { textOf, type Word } from "./layout.ts";
import { piecesOf } from "./row-pieces.ts";

const STYLE = { font: "f", bold: false, italic: false, mono: false };
/**
 * A word of a line with ten points: its text, the distance from the word before, and whether it
 * begins a piece.
 */
type Placed = [text: string, gap: number, begins?: "begins"];

function pieces(...placed: Placed[]): string[] {
  let x = 60;
  const words = placed.map(([text, gap, begins], at): Word => {
    const left = x + gap;
    x = left + text.length * 5;
    return {
      text,
      left,
      right: x,
      top: 92,
      bottom: 102,
      baseline: 100,
      size: 10,
      style: STYLE,
      glued: false,
      script: false,
      spaced: at > 0 && !begins,
      begins: begins !== undefined,
    };
  });
  return piecesOf(segmentOf(words)).map(textOf);
}

test("cells that stand close are parted where the file begins a piece of text", () => {
  expect(pieces(["Old", 0, "begins"], ["mill", 3], ["1242", 2, "begins"])).toEqual([
    "Old mill",
    "1242",
  ]);
  expect(pieces(["Old", 0], ["mill", 3], ["1242", 2])).toEqual(["Old mill 1242"]);
});

test("cells that reach into each other are parted a little, not those set over each other", () => {
  expect(pieces(["Hamburg", 0, "begins"], ["189", -4, "begins"])).toEqual([
    "Hamburg",
    "189",
  ]);
  expect(pieces(["Hamburg", 0, "begins"], ["189", -12, "begins"])).toEqual(["Hamburg 189"]);
});

// placed from left to right: the first word of each is read last
test("Arabic and Hebrew, where every word is a jump, are parted by their distance alone", () => {
  expect(pieces(["שלום", 0, "begins"], ["עולם", 3, "begins"])).toEqual(["עולם שלום"]);
  expect(pieces(["سلام", 0, "begins"], ["عالم", 3, "begins"])).toEqual(["عالم سلام"]);
  expect(pieces(["שלום", 0, "begins"], ["עולם", 30, "begins"])).toEqual(["שלום", "עולם"]);
});

test("a bullet stays with its item", () => {
  expect(pieces(["•", 0, "begins"], ["Item", 8, "begins"])).toEqual(["• Item"]);
});

test("a dash that stands for no value is no bullet of the value beside it", () => {
  expect(pieces(["–", 0], ["1.4", 20], ["–", 30], ["–", 20])).toEqual([
    "–",
    "1.4",
    "–",
    "–",
  ]);
  expect(pieces(["–", 0], ["Item", 20])).toEqual(["– Item"]);
});

test("a stretched line stays whole where every word begins by itself", () => {
  const stretched = ["the", "mill", "stood", "still", "all", "summer"].map(
    (text, at): Placed => [text, at === 0 ? 0 : 7, "begins"],
  );
  expect(pieces(...stretched)).toEqual(["the mill stood still all summer"]);
  expect(pieces(...stretched.slice(0, 5), ["summer", 9, "begins"])).toHaveLength(6);
});
