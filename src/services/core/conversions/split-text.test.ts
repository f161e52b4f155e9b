import fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test("splits any text into short, non-empty pieces that join to the same text", () => {
  const text = fc
    .array(fc.constantFrom("word", " ", ". ", "\n", "\n\n", "😀", "ä", "x".repeat(30)), {
      maxLength: 200,
    })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 60 }), (whole, most) => {
      const pieces = splitText(whole, most);
      expect(pieces.join("")).toBe(whole);
      expect(pieces.every((piece) => piece.length <= most)).toBe(true);
      if (whole) expect(pieces.every((piece) => piece.length > 0)).toBe(true);
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    }),
  );
});

test("cuts between paragraphs if possible", () => {
  expect(
    splitText(`${"a".repeat(30)}\n\n${"b".repeat(30)}. ${"c".repeat(10)}`, 50),
  ).toEqual([`${"a".repeat(30)}\n\n`, `${"b".repeat(30)}. ${"c".repeat(10)}`]);
});
