/** What is known of a query, as `useQuery` returns it. */
interface QueryState {
  isLoading: boolean;
  isFetched: boolean;
  failureCount: number;
}

/**
 * Whether no attempt of a query has ended, so that what stands below is better not shown yet. A
 * failure is an end: what is shown then may ask again, and must not vanish for it, or both go on
 * for ever.
 */
export function awaitsFirst({ isLoading, isFetched, failureCount }: QueryState): boolean {
  return isLoading && !isFetched && failureCount === 0;
}
