import {
  hashKey,
  infiniteQueryOptions,
  type InfiniteData,
  type QueryKey,
} from "@tanstack/react-query";

/** A page of a list, as the API answers. */
interface ListPage<Item> {
  items: Item[];
  page: number;
  limit: number;
  total: number;
  /** Of a list with cursors: where the next page begins; null at the end. */
  next?: string | null;
}

interface Start {
  page: number;
  cursor?: string | undefined;
}

interface PagedList<Item> {
  queryKey: QueryKey;
  /** What the list is narrowed to, such as words or a state; the end of its key. */
  filter?: readonly unknown[];
  load: (page: number, signal: AbortSignal, cursor?: string) => Promise<ListPage<Item>>;
  /** What tells items apart: one that moved to a later page is shown once. */
  keyOf: (item: Item) => string;
  enabled?: boolean;
}

const FIRST: Start = { page: 1 };

type Pages<Item> = InfiniteData<ListPage<Item>, Start>;

/** What is shown of a list. */
export interface PagedItems<Item> {
  items: Item[];
  total: number;
}

/**
 * A list that is fetched page by page; for `useList`. After a change of its filter it has what it
 * held before until the answer comes, unless that was nothing: "nothing found" would not be true.
 */
export function pagedQuery<Item>(list: PagedList<Item>) {
  const { queryKey, filter = [], load, keyOf, enabled = true } = list;
  return infiniteQueryOptions({
    queryKey: [...queryKey, ...filter],
    enabled,
    placeholderData: (before: Pages<Item> | undefined, query?: { queryKey: QueryKey }) =>
      query && isSameList(query.queryKey, queryKey) && !isEmpty(before)
        ? before
        : undefined,
    initialPageParam: FIRST,
    queryFn: ({ pageParam: { page, cursor }, signal }) => load(page, signal, cursor),
    getNextPageParam: (last, _, { page }) => nextAfter(last, page),
    select: ({ pages }): PagedItems<Item> => ({
      items: uniqueBy(
        pages.flatMap(({ items }) => items),
        keyOf,
      ),
      total: pages.at(-1)?.total ?? 0,
    }),
  });
}

/** Whether the key of a list begins with this; its filter follows. */
function isSameList(key: QueryKey, list: QueryKey): boolean {
  return hashKey(key.slice(0, list.length)) === hashKey(list);
}

function isEmpty<Item>(pages: Pages<Item> | undefined): boolean {
  return pages?.pages.every(({ items }) => items.length === 0) ?? true;
}

/** A cursor stays right when the list changes; a number may skip or repeat an item. */
function nextAfter<Item>(
  { limit, total, next }: ListPage<Item>,
  page: number,
): Start | undefined {
  if (next !== undefined)
    return next === null ? undefined : { page: page + 1, cursor: next };
  return page * limit < total ? { page: page + 1 } : undefined;
}

function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
