import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
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

test("a list that is searched holds what it held before, and nothing of another list", () => {
  const listOf = (folder: string, words: string | undefined) =>
    pagedQuery<string>({
      queryKey: ["files", folder],
      filter: [words],
      load: async () => ({ ...page, items: [] }),
      keyOf,
    });
  const shownAfter = (items: string[], list: ReturnType<typeof listOf>) => {
    const client = new QueryClient();
    const all = listOf("letters", undefined);
    const held = { pages: [{ ...page, items }], pageParams: [{ page: 1 }] };
    client.setQueryData(all.queryKey, held);
    const observer = new InfiniteQueryObserver(client, all);
    observer.setOptions(list);
    return observer.getCurrentResult().data?.items;
  };
  expect(shownAfter(["a"], listOf("letters", "harbour"))).toEqual(["a"]);
  expect(shownAfter([], listOf("letters", "harbour"))).toBeUndefined();
  expect(shownAfter(["a"], listOf("invoices", "harbour"))).toBeUndefined();
});
