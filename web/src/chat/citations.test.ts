import { expect, test } from "vitest";
import { citedIndexes, sentenceCiting } from "./citations.ts";

const TEXT =
  "First of all. You have 31 days. [2] It closes at nine [1, 3].\n\n> Quoted words [4] here";

test("sources are listed in the order of their first citation", () => {
  expect(citedIndexes(TEXT)).toEqual([2, 1, 3, 4]);
});

test("ranges, and citations beside each other, are all cited", () => {
  expect(citedIndexes("It is so.[1][2] And so [4-6; 8].")).toEqual([1, 2, 4, 5, 6, 8]);
  expect(citedIndexes("| a [1] | b [2]–[3] |")).toEqual([1, 2, 3]);
  expect(citedIndexes("[1](https://example.org) and [9-1] cite nothing")).toEqual([]);
});

test("the sentence of a citation that stands behind others is what they stand for", () => {
  expect(sentenceCiting("One. It costs 5.[1][2]", 2)).toBe("It costs 5.");
});

test("the sentence before a citation is what it stands for", () => {
  expect(sentenceCiting(TEXT, 2)).toBe("You have 31 days.");
  expect(sentenceCiting(TEXT, 3)).toBe("[2] It closes at nine");
  expect(sentenceCiting(TEXT, 4)).toBe("> Quoted words");
  expect(sentenceCiting(TEXT, 9)).toBeUndefined();
});

test("ranges and numbers that touch cite each of their sources", () => {
  expect(citedIndexes("a [1][2][3] b")).toEqual([1, 2, 3]);
  expect(citedIndexes("a [4-6] b [8]–[10] c [12; 13]")).toEqual([
    4, 5, 6, 8, 9, 10, 12, 13,
  ]);
  expect(citedIndexes("a [1](https://example.org) and [1990-2020]")).toEqual([]);
  expect(sentenceCiting("So it is. Then [1]–[3].", 2)).toBe("Then");
});
