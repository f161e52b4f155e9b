import { expect, test } from "vitest";
import type { Source } from "./contract.ts";
import type { Passage } from "./find-passages.ts";
import { takePassages } from "./take-passages.ts";

const passage = (chunkIndex: number) =>
  ({ documentId: "one", chunkIndex, content: "words" }) as Passage;
const source = (index: number) => ({ ...passage(index), index }) as Source;

test("new passages get the numbers after the last, also where some are missing", () => {
  const taken = takePassages([source(1), source(7)], [passage(20), passage(21)], 8_000);
  expect(taken.map(({ index }) => index)).toEqual([8, 9]);
});

test("what is known is not taken again", () => {
  const taken = takePassages([source(3)], [passage(3), passage(4)], 8_000);
  expect(taken.map(({ chunkIndex }) => chunkIndex)).toEqual([4]);
});
