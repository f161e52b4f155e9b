import { expect, test } from "vitest";
import { readMention } from "./read-mention.ts";

const read = (text: string, caret = text.length) => readMention(text, caret);

test("a mention is what is typed after the sign, up to the caret", () => {
  expect(read("@")).toEqual({ sign: "@", words: "", start: 0 });
  expect(read("Ask @jör")).toEqual({ sign: "@", words: "jör", start: 4 });
  expect(read("See\n#plan-20")).toEqual({ sign: "#", words: "plan-20", start: 4 });
  expect(read("Ask @anna now", 7)).toEqual({ sign: "@", words: "an", start: 4 });
});

test("addresses, headings, anchors and plain words are none", () => {
  for (const text of ["", "anna@test.example", "# Title", "C#", "a page#part", "@a b"])
    expect(read(text)).toBeUndefined();
});

test("a long word before or after the sign is none", () => {
  expect(read(`${"x".repeat(500)}@a`)).toBeUndefined();
  expect(read(`@${"x".repeat(41)}`)).toBeUndefined();
  expect(read(`${"x".repeat(39)}#aa`)).toBeUndefined();
});
