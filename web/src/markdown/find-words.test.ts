import { expect, test } from "vitest";
import { closestSentence, findPassage } from "./find-words.ts";

const PAGE =
  "Leave\nEmployees have 31 days of leave (per year). Part-time employees have fewer.";
const found = (passage: string) => {
  const place = findPassage(PAGE, passage);
  return place && PAGE.slice(place.start, place.end);
};

test("a passage is found by its words, whatever its marks and spaces", () => {
  expect(found("## Leave\n\nEmployees have **31 days**\nof leave")).toBe(
    "Leave\nEmployees have 31 days of leave",
  );
});

test("a passage that begins on the page before is found by its end", () => {
  const passage = "words of the page before this one. Part-time employees have fewer.";
  expect(found(passage)).toBe("Part-time employees have fewer");
});

test("a passage that is not there is not found", () => {
  expect(found("something else entirely, of another file")).toBeUndefined();
  expect(found("…")).toBeUndefined();
});

test("the sentence that an answer cites is the one with the most words in common", () => {
  const passage =
    "## Leave\nEmployees have 31 days of leave. The office opens at nine. Bring your own cup.";
  expect(closestSentence(passage, "Every employee has 31 days of leave")).toBe(
    "Employees have 31 days of leave.",
  );
  expect(closestSentence(passage, "Nothing of that kind")).toBeUndefined();
});

test("a few words of a long passage that stand anywhere are not the passage", () => {
  const long = `the costs of the ${Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ")}`;
  expect(findPassage("Here are the costs of the other site.", long)).toBeUndefined();
  const half = "one two three four five six seven eight nine ten";
  expect(findPassage("one two three four and more", half, 0.5)).toBeUndefined();
  expect(findPassage("one two three four five six and more", half, 0.5)).toBeDefined();
});
