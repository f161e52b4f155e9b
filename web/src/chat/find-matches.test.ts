import { expect, test } from "vitest";
import { findMatches } from "./find-matches.ts";

const MESSAGES = [
  { content: "In München" },
  { content: "nothing" },
  { content: "MUNCHEN again, and münchen" },
];

test("each place of the words is found, whatever their case and diacritics", () => {
  const places = [
    { index: 0, nth: 0 },
    { index: 2, nth: 0 },
    { index: 2, nth: 1 },
  ];
  expect(findMatches(MESSAGES, "munchen")).toEqual(places);
  expect(findMatches(MESSAGES, "Mün")).toEqual(places);
});

test("no words match nothing", () => {
  expect(findMatches(MESSAGES, "  ")).toEqual([]);
});
