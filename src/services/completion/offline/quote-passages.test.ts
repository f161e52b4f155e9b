import { expect, test } from "vitest";
import { quotePassages } from "./quote-passages.ts";

const SYSTEM = `Answer from passages of documents.

[1] “tea.md”:
Green tea is picked in April. It is steamed.

[2] “harbour.pdf”, page 7:
The harbour of Hamburg was opened in 1189. It is the third largest of Europe.`;

test("quotes the sentence that answers, with its number, file and page", () => {
  expect(quotePassages(SYSTEM, "When was the harbour of Hamburg opened?")).toMatch(
    /^> The harbour of Hamburg was opened in 1189\. \[2\]\n> — “harbour\.pdf”, page 7/,
  );
});

test("says so when no passage answers", () => {
  expect(quotePassages(SYSTEM, "Who invented the typewriter?")).toBe(
    "The documents do not say it.",
  );
  expect(quotePassages("… No passage was found in the documents.", "Who?")).toBe(
    "The documents do not say it.",
  );
});

test("ignores a system message without passages", () => {
  expect(quotePassages("You are kind. [1] is a number.", "Who?")).toBeUndefined();
});
