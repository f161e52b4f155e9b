import { expect, test } from "vitest";
import { findParts, listSplits } from "./compounds.ts";

function partsOf(
  word: string,
  configuration: string,
  counts: Record<string, number>,
): string[] {
  return findParts(listSplits([word], configuration), (one) => counts[one] ?? 0);
}

test("divides a compound into two known words, without the letters that join them", () => {
  expect(partsOf("arbeitszeit", "german", { arbeit: 9, zeit: 20 })).toEqual([
    "arbeit",
    "zeit",
  ]);
  expect(partsOf("gruppenname", "german", { gruppe: 9, name: 9 })).toEqual([
    "gruppe",
    "name",
  ]);
  expect(partsOf("dokumentenvorlage", "german", { dokument: 2, vorlage: 2 })).toEqual([
    "dokument",
    "vorlage",
  ]);
});

test("keeps a word that is more frequent than its parts, or has an unknown part", () => {
  expect(
    partsOf("arbeitszeit", "german", { arbeitszeit: 30, arbeit: 9, zeit: 20 }),
  ).toEqual([]);
  expect(partsOf("arbeitszeit", "german", { arbeit: 9 })).toEqual([]);
});

test("divides only in languages that write compounds as one word, and no endless words", () => {
  expect(partsOf("bookstore", "english", { book: 9, store: 9 })).toEqual([]);
  const endless = "zeit".repeat(5_000);
  expect(listSplits([endless], "german")).toEqual([]);
});
