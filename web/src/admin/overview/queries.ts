import { queryOptions } from "@tanstack/react-query";
import { usageContract } from "../../../../src/services/core/usage/contract.ts";
import { call } from "../../api/call.ts";

/** The first of them: who has more has other ways to watch them. */
const MAX_BUDGETS = 100;
const REFRESH_INTERVAL_MS = 60_000;

export const budgetsQuery = queryOptions({
  queryKey: ["budgets", "overview"],
  queryFn: ({ signal }) =>
    call(usageContract.listBudgets, { query: { limit: MAX_BUDGETS } }, { signal }),
  refetchInterval: ({ state }) => (state.error ? false : REFRESH_INTERVAL_MS),
});
