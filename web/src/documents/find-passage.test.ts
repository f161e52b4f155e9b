import { expect, test } from "vitest";
import { findPassage } from "./find-passage.ts";

const PAGE =
  "# Leave\n\nEmployees have 31 days\nof leave (per year). Part-time\nemployees have fewer.";

test("a passage is found whatever its spaces, and special characters are plain", () => {
  const found = findPassage(PAGE, "31 days of leave (per year).");
  expect(found.match).toBe("31 days\nof leave (per year).");
  expect(found.before + found.match + found.after).toBe(PAGE);
});

test("a passage that begins on the page before is found by its end", () => {
  const passage = "words of the page before this one Part-time employees have fewer.";
  expect(findPassage(PAGE, passage).match).toBe("Part-time\nemployees have fewer.");
});

test("a passage that is not there stands alone", () => {
  expect(findPassage(PAGE, "something else entirely, of another file")).toEqual({
    before: "",
    match: "something else entirely, of another file",
    after: "",
  });
});
