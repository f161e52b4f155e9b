import { expect, test } from "vitest";
import { coalesce } from "./batch.ts";

test("what comes at once or while a group is stored goes together, in order and in groups of bounded size", async () => {
  const groups: number[][] = [];
  const store = coalesce<number>(3, async (items) => void groups.push(items));
  await Promise.all([1, 2, 3, 4].map(store));
  await store(5);
  expect(groups).toEqual([[1, 2, 3], [4], [5]]);
});

test("of a group that fails each learns what became of its own", async () => {
  const stored: number[] = [];
  const store = coalesce<number>(10, async (items) => {
    if (items.includes(2)) throw new Error("not 2");
    stored.push(...items);
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(store));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(stored).toEqual([1, 3]);
});
