import { expect, test } from "vitest";
import { readQuestions, toLines } from "./read-questions.ts";

test("a line has a question and the names of the documents that answer it", () => {
  const text = "How hot? | tea.md\n\nHow long?\trice.md\tpot.md\nWho? |\n| tea.md";
  expect(readQuestions(text)).toEqual({
    questions: [
      { query: "How hot?", expected: [{ fileName: "tea.md" }] },
      { query: "How long?", expected: [{ fileName: "rice.md" }, { fileName: "pot.md" }] },
    ],
    wrongLines: [4, 5],
  });
});

test("a file of the command becomes lines, unless it expects passages", () => {
  const file = (expected: object) =>
    JSON.stringify({ questions: [{ query: "Q?", expected }] });
  expect(toLines(file([{ fileName: "a.md" }, { fileName: "b.md" }]))).toBe(
    "Q? | a.md | b.md",
  );
  expect(toLines(file([{ fileName: "a.md", passage: "words" }]))).toBeUndefined();
  expect(toLines("{not JSON")).toBeUndefined();
  expect(toLines("Q? | a.md")).toBe("Q? | a.md");
});
