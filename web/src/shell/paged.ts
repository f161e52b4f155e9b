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
}

interface PagedList<Item> {
  queryKey: QueryKey;
  load: (page: number, signal: AbortSignal) => Promise<ListPage<Item>>;
  /** What tells items apart: one that moved to a later page is shown once. */
  keyOf: (item: Item) => string;
  enabled?: boolean;
  /** While the list is searched, what it held stays until what is found comes. */
  isSearched?: boolean;
}

/** A list that is fetched page by page; for `useInfiniteQuery`. */
export function pagedQuery<Item>(list: PagedList<Item>) {
  const { queryKey, load, keyOf, enabled = true, isSearched } = list;
  return infiniteQueryOptions({
    queryKey,
    enabled,
    ...(isSearched && { placeholderData: keepPreviousData }),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    getNextPageParam: ({ page, limit, total }) =>
      page * limit < total ? page + 1 : undefined,
    select: ({ pages }) => ({
      items: uniqueBy(
        pages.flatMap(({ items }) => items),
        keyOf,
      ),
      total: pages.at(-1)?.total ?? 0,
    }),
  });
}

function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
