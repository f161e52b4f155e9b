import { expect, test } from "vitest";
import { shortenText, shortenTextStart, shortenToWords } from "./shorten-text.ts";

const FAMILY = "👨‍👩‍👧‍👦";

test.each([
  ["short", 10, "short"],
  ["exact", 5, "exact"],
  ["a longer text", 8, "a longer"],
  ["😀😀", 3, "😀"],
  ["😀😀", 4, "😀😀"],
  [`ab${FAMILY}`, 5, "ab"],
  [`ab${FAMILY}c`, 2 + FAMILY.length, `ab${FAMILY}`],
  ["ae\u0301x", 2, "a"],
  ["🇩🇪🇫🇷", 6, "🇩🇪"],
  ["👍🏽!", 3, "👍"],
  ["a👍🏽!", 3, "a"],
  ["", 3, ""],
])("%j at %i is %j", (text, maxLength, cut) => {
  expect(shortenText(text, maxLength)).toBe(cut);
});

test.each([
  ["name.txt", 20, "name.txt"],
  ["a longer name.txt", 8, "name.txt"],
  ["😀.txt", 5, ".txt"],
  ["😀.txt", 6, "😀.txt"],
  [`a${FAMILY}.txt`, 9, ".txt"],
  ["🇩🇪🇫🇷", 5, "🇫🇷"],
  ["a👍🏽", 2, "🏽"],
])("the end of %j at %i is %j", (text, maxLength, cut) => {
  expect(shortenTextStart(text, maxLength)).toBe(cut);
});

test("a cut text is well-formed and within its length, also where one character never ends", () => {
  for (const text of [
    `a${"\u0301".repeat(500)}`,
    "😀".repeat(100),
    `😀${"\u200d😀".repeat(99)}`,
  ])
    for (let length = 0; length < 80; length += 1) {
      const cut = shortenText(text, length);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(length);
      expect(text.startsWith(cut)).toBe(true);
      const end = shortenTextStart(text, length);
      expect([end.isWellFormed(), text.endsWith(end)]).toEqual([true, true]);
      expect(end.length).toBeLessThanOrEqual(length);
    }
});

test.each([
  ["Days of leave", 20, "Days of leave"],
  ["How many days of leave", 15, "How many days…"],
  ["How many days, of leave", 15, "How many days…"],
  ["How many days of leave", 14, "How many days…"],
  ["Donaudampfschifffahrt und mehr", 12, "Donaudampfs…"],
  ["パリの天気とロンドンの天気", 8, "パリの天気とロ…"],
])("%j is cut between words at %i: %j", (text, maxLength, cut) => {
  expect(shortenToWords(text, maxLength)).toBe(cut);
});
