import {
  type FetchQueryOptions,
  type QueryKey,
  useQueryClient,
} from "@tanstack/react-query";

/** Reads what is stored now, whatever the page has read before. */
export function useNewest<Data, Key extends QueryKey>(
  query: FetchQueryOptions<Data, Error, Data, Key>,
): () => Promise<Data> {
  const queries = useQueryClient();
  return () => queries.fetchQuery({ ...query, staleTime: 0 });
}
