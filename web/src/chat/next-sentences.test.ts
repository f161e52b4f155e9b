import { expect, test } from "vitest";
import { nextSentences } from "./next-sentences.ts";

test("a sentence is said once it is whole, and the rest at the end", () => {
  expect(nextSentences("One. Two is not", 0, false)).toBe("One. ");
  expect(nextSentences("One. Two is not", 5, false)).toBe("");
  expect(nextSentences("One. Two is not", 5, true)).toBe("Two is not");
});
