import { expect, test } from "vitest";
import type { Glyph } from "./page-content.ts";
import { turnLigatures } from "./turn-ligatures.ts";

const style = { font: "f", bold: false, italic: false, mono: false };
const place = { top: 0, bottom: 10, baseline: 8, size: 10, style, cell: undefined };

function glyph(text: string, left: number, right: number, ligature = false): Glyph {
  return { ...place, text, left, right, ligature, spaced: false };
}

const textOf = (glyphs: Glyph[]): string => glyphs.map(({ text }) => text).join("");

test("letters of one drawing that are given from the left stand in their order", () => {
  const parts = [glyph("ن", 40, 46), glyph("أ", 30, 33), glyph("ل", 33, 36)];
  turnLigatures(parts);
  expect(textOf(parts)).toBe("نلأ");
  const atOne = [glyph("أ", 30, 36), glyph("ل", 30, 36, true), glyph("ن", 24, 30)];
  turnLigatures(atOne);
  expect(textOf(atOne)).toBe("لأن");
  expect(atOne.map(({ ligature }) => ligature)).toEqual([false, true, false]);
});

test("other letters stay as they are: of Latin ligatures, and of words written from the right", () => {
  const latin = [glyph("f", 0, 6), glyph("i", 0, 6, true)];
  const hebrew = [glyph("ש", 20, 26), glyph("ל", 14, 20)];
  turnLigatures(latin);
  turnLigatures(hebrew);
  expect(textOf(latin)).toBe("fi");
  expect(textOf(hebrew)).toBe("של");
});
