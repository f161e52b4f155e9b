import { expect, test } from "vitest";
import { countCharacters, isBlank } from "./count-characters.ts";

const image = `![](${"a".repeat(900)})`;

test.each([
  ["", true],
  [" \f\n ", true],
  ["a", false],
  [image, true],
  [`![Tea](tea.png)`, false],
  // every possible sample ends within an image
  [`${image}\n`.repeat(200), true],
  [`${image}\n`.repeat(200) + "a", false],
  [" ".repeat(100_000) + "a", false],
  ["a".repeat(100_000), false],
])("text %# is blank exactly when no character of it counts", (text, blank) => {
  expect(isBlank(text)).toBe(blank);
  expect(countCharacters(text) === 0).toBe(blank);
});
