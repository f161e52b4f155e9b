import { expect, test } from "vitest";
import { compareWords } from "./compare-words.ts";

const textOf = (pieces: ReturnType<typeof compareWords>, without: "added" | "removed") =>
  pieces
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");

test("words that were added and removed are marked, others are not", () => {
  expect(compareWords("Reads a file", "Reads and sends a file")).toEqual([
    { kind: "same", text: "Reads " },
    { kind: "added", text: "and sends " },
    { kind: "same", text: "a file" },
  ]);
});

test("both texts can be read from the pieces, however long they are", () => {
  const pairs = [
    ["", "all new"],
    ["all gone", ""],
    ["one two three", "three two one"],
    ["a ".repeat(3_000), "b a ".repeat(3_000)],
  ] as const;
  for (const [before, after] of pairs) {
    const pieces = compareWords(before, after);
    expect(textOf(pieces, "added")).toBe(before);
    expect(textOf(pieces, "removed")).toBe(after);
  }
});
