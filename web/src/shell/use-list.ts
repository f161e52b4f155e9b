import {
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PagedItems, pagedQuery } from "./paged.ts";

type List<Item> = UseInfiniteQueryResult<PagedItems<Item>, Error>;

const KEPT_MS = 300;

/**
 * A list that is fetched page by page. Once its filter changes, what it held stays for a moment,
 * so that nothing flashes before a quick answer. After that it is pending, as any list that loads.
 */
export function useList<Item>(query: ReturnType<typeof pagedQuery<Item>>): List<Item> {
  const queries = useQueryClient();
  const list = useInfiniteQuery(query);
  const isLate = useLate(list.isPlaceholderData);
  // a list that is being read because of a change is read to its end first
  const fetchNextPage: typeof list.fetchNextPage = async () => {
    const reading = queries.getQueryCache().find({ queryKey: query.queryKey })?.promise;
    await reading?.catch(() => {}); // the list shows why that failed
    return list.fetchNextPage({ cancelRefetch: false });
  };
  return { ...list, fetchNextPage, ...(isLate && PENDING) } as List<Item>;
}

const PENDING = {
  data: undefined,
  hasNextPage: false,
  status: "pending",
  isPending: true,
  isSuccess: false,
  isPlaceholderData: false,
} as const;

function useLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLate(true), KEPT_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isWaiting && isLate;
}
