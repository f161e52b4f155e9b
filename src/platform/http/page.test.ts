import { expect, test } from "vitest";
import { allItems, type PageQuery } from "./page.ts";

/** A list of numbers, and which pages of it were read. */
function listOf(total: number) {
  const pages: number[] = [];
  const readOne = async ({ page, limit }: PageQuery) => {
    pages.push(page);
    const from = (page - 1) * limit;
    const length = Math.max(0, Math.min(limit, total - from));
    return { items: Array.from({ length }, (_, n) => from + n), total };
  };
  return { pages, readOne };
}

test("a list is read to its last page, and no page is read for items that nobody takes", async () => {
  const whole = listOf(250);
  const items: number[] = [];
  for await (const item of allItems(whole.readOne)) items.push(item);
  expect(items).toEqual(Array.from({ length: 250 }, (_, n) => n));
  expect(whole.pages).toEqual([1, 2, 3]);
  const part = listOf(250);
  for await (const item of allItems(part.readOne)) if (item === 99) break;
  expect(part.pages).toEqual([1]);
});

test("a list that shrinks while it is read ends", async () => {
  const pages: number[] = [];
  const readOne = async ({ page }: PageQuery) => {
    pages.push(page);
    return { items: page === 1 ? ["one"] : [], total: 1_000 };
  };
  const items: string[] = [];
  for await (const item of allItems(readOne)) items.push(item);
  expect([items, pages]).toEqual([["one"], [1, 2]]);
});
