import { expect, test } from "vitest";
import { findMatches } from "./find-matches.ts";

const MESSAGES = [
  { content: "In München" },
  { content: "nothing" },
  { content: "MUNCHEN again" },
];

test("words are found whatever their case and diacritics", () => {
  expect(findMatches(MESSAGES, "munchen")).toEqual([0, 2]);
  expect(findMatches(MESSAGES, "Mün")).toEqual([0, 2]);
});

test("no words match nothing", () => {
  expect(findMatches(MESSAGES, "  ")).toEqual([]);
});
