import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { pagedQuery } from "./paged.ts";

const page = { page: 1, limit: 2, total: 3 };
const keyOf = (item: string) => item;

test("a list with cursors is read from where the page before ended, to its end", async () => {
  const asked: (string | undefined)[] = [];
  const list = pagedQuery<string>({
    queryKey: ["cursors"],
    load: async (_page, _signal, cursor) => {
      asked.push(cursor);
      return cursor === undefined
        ? { ...page, items: ["a", "b"], next: "after b" }
        : { ...page, items: ["c"], next: null };
    },
    keyOf,
  });
  const data = await new QueryClient().fetchInfiniteQuery({ ...list, pages: 3 });
  expect(asked).toEqual([undefined, "after b"]);
  expect(data.pages.flatMap(({ items }) => items)).toEqual(["a", "b", "c"]);
});

test("a list without them is read by numbers, and shows an item that moved once", async () => {
  const items = [["a", "b"], ["b"]];
  const list = pagedQuery<string>({
    queryKey: ["numbers"],
    load: async (at) => ({ ...page, page: at, items: items[at - 1] ?? [] }),
    keyOf,
  });
  const data = await new QueryClient().fetchInfiniteQuery({ ...list, pages: 3 });
  expect(data.pages).toHaveLength(2);
  expect(list.select?.(data).items).toEqual(["a", "b"]);
});
