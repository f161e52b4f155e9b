import { expect, test } from "vitest";
import { citedIndexes, sentenceCiting } from "./citations.ts";

const TEXT =
  "First of all. You have 31 days. [2] It closes at nine [1, 3].\n\n> Quoted words [4] here";

test("sources are listed in the order of their first citation", () => {
  expect(citedIndexes(TEXT)).toEqual([2, 1, 3, 4]);
});

test("the sentence before a citation is what it stands for", () => {
  expect(sentenceCiting(TEXT, 2)).toBe("You have 31 days.");
  expect(sentenceCiting(TEXT, 3)).toBe("[2] It closes at nine");
  expect(sentenceCiting(TEXT, 4)).toBe("> Quoted words");
  expect(sentenceCiting(TEXT, 9)).toBeUndefined();
});
