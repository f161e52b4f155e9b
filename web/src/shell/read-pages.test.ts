import { expect, test } from "vitest";
import { readPages } from "./read-pages.ts";

/** A list of so many numbers, two a page, which notes the pages that are read. */
function listOf(total: number) {
  const read: number[] = [];
  const load = async (page: number) => {
    read.push(page);
    const items = Array.from({ length: total }, (_, at) => at);
    return { items: items.slice(page * 2 - 2, page * 2), limit: 2, total };
  };
  return { load, read };
}

test("all pages are read, and none beyond the last", async () => {
  const { load, read } = listOf(5);
  expect(await readPages(load)).toEqual([0, 1, 2, 3, 4]);
  expect(read).toEqual([1, 2, 3]);
});

test("of a list that is wanted in part no more pages are read", async () => {
  const { load, read } = listOf(9);
  expect(await readPages(load, 3)).toEqual([0, 1, 2]);
  expect(read).toEqual([1, 2]);
});

test("a list without an end is given up", async () => {
  const { load, read } = listOf(1_000);
  expect(await readPages(load)).toHaveLength(100);
  expect(read).toHaveLength(50);
});
