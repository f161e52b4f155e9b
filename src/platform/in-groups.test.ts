import { expect, test } from "vitest";
import { inGroups } from "./in-groups.ts";

test("yields all items in order, in groups of the size, the last one smaller", () => {
  expect([...inGroups([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
});

test("yields no group of no items", () => {
  expect([...inGroups([], 2)]).toEqual([]);
});
