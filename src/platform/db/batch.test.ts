import { expect, test } from "vitest";
import { createBatcher } from "./batch.ts";

test("items that arrive together or while a batch is stored form a batch, in order and of bounded size", async () => {
  const batches: number[][] = [];
  const store = createBatcher<number>(3, async (items) => void batches.push(items));
  await Promise.all([1, 2, 3, 4].map(store));
  await store(5);
  expect(batches).toEqual([[1, 2, 3], [4], [5]]);
});

test("each item of a failed batch gets its own outcome", async () => {
  const stored: number[] = [];
  const store = createBatcher<number>(10, async (items) => {
    if (items.includes(2)) throw new Error("not 2");
    stored.push(...items);
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(store));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(stored).toEqual([1, 3]);
});
