import { expect, test } from "vitest";
import { readPages } from "./read-pages.ts";

const listOf = (total: number, limit: number) => {
  const asked: number[] = [];
  const load = async (page: number) => {
    asked.push(page);
    const rest = Math.max(0, Math.min(limit, total - (page - 1) * limit));
    return { items: Array<number>(rest).fill(page), limit, total };
  };
  return { asked, load };
};

test("a list is read to its end, and no further", async () => {
  const { asked, load } = listOf(250, 100);
  expect(await readPages(load)).toHaveLength(250);
  expect(asked).toEqual([1, 2, 3]);
  const whole = listOf(100, 100);
  await readPages(whole.load);
  expect(whole.asked).toEqual([1]);
});

test("a list that grows while it is read has an end", async () => {
  const { asked, load } = listOf(1_000_000, 100);
  await readPages(load);
  expect(asked).toHaveLength(50);
  const emptied = async () => ({ items: [], limit: 100, total: 1_000 });
  expect(await readPages(emptied)).toEqual([]);
});
