import {
  infiniteQueryOptions,
  keepPreviousData,
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
  load: (page: number, signal: AbortSignal, cursor?: string) => Promise<ListPage<Item>>;
  /** What tells items apart: one that moved to a later page is shown once. */
  keyOf: (item: Item) => string;
  enabled?: boolean;
  /** While the list is searched, what it held stays until what is found comes. */
  isSearched?: boolean;
}

const FIRST: Start = { page: 1 };

/** A list that is fetched page by page; for `useInfiniteQuery`. */
export function pagedQuery<Item>(list: PagedList<Item>) {
  const { queryKey, load, keyOf, enabled = true, isSearched } = list;
  return infiniteQueryOptions({
    queryKey,
    enabled,
    ...(isSearched && { placeholderData: keepPreviousData }),
    initialPageParam: FIRST,
    queryFn: ({ pageParam: { page, cursor }, signal }) => load(page, signal, cursor),
    getNextPageParam: (last, _, { page }) => nextAfter(last, page),
    select: ({ pages }) => ({
      items: uniqueBy(
        pages.flatMap(({ items }) => items),
        keyOf,
      ),
      total: pages.at(-1)?.total ?? 0,
    }),
  });
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
