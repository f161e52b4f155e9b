import { queryOptions } from "@tanstack/react-query";
import { usageContract } from "../../../src/services/core/usage/contract.ts";
import { call } from "../api/call.ts";

/** The budgets that limit the reader. */
export const ownBudgetsQuery = queryOptions({
  queryKey: ["budgets", "mine"],
  queryFn: ({ signal }) => call(usageContract.ownBudgets, {}, { signal }),
});
