import { queryOptions } from "@tanstack/react-query";
import { providersContract } from "../../../../src/services/core/catalogue/contract.ts";
import { usageContract } from "../../../../src/services/core/usage/contract.ts";
import { toolGatewayContract } from "../../../../src/services/tool-gateway/contract.ts";
import { usersContract } from "../../../../src/services/users/contract.ts";
import { call } from "../../api/call.ts";
import { readPages } from "../../shell/read-pages.ts";

/** Whole lists, of which the overview says what needs somebody. */

const PAGE = 100;
const REFRESH_INTERVAL_MS = 60_000;
const CONNECTING_INTERVAL_MS = 2_000;

const refetchInterval = ({ state }: { state: { error: Error | null } }) =>
  state.error ? false : REFRESH_INTERVAL_MS;

export const budgetsQuery = queryOptions({
  queryKey: ["budgets", "whole"],
  queryFn: ({ signal }) =>
    readPages((page) =>
      call(usageContract.listBudgets, { query: { page, limit: PAGE } }, { signal }),
    ),
  refetchInterval,
});

export const providersQuery = queryOptions({
  queryKey: ["providers", "whole"],
  queryFn: ({ signal }) =>
    readPages((page) =>
      call(
        providersContract.listAllProviders,
        { query: { page, limit: PAGE } },
        { signal },
      ),
    ),
});

export const healthQuery = queryOptions({
  queryKey: ["provider-health", "whole"],
  queryFn: ({ signal }) =>
    readPages((page) =>
      call(
        providersContract.listProviderHealth,
        { query: { page, limit: PAGE } },
        { signal },
      ),
    ),
  refetchInterval,
});

export const statesQuery = queryOptions({
  queryKey: ["tool-servers", "states", "whole"],
  queryFn: ({ signal }) =>
    readPages((page) =>
      call(toolGatewayContract.listServers, { query: { page, limit: PAGE } }, { signal }),
    ),
  refetchInterval: ({ state: { data, error } }) => {
    if (error) return false;
    const isConnecting = data?.some(({ state }) => state === "connecting");
    return isConnecting ? CONNECTING_INTERVAL_MS : REFRESH_INTERVAL_MS;
  },
});

/** How many people have an account. */
export const userCountQuery = queryOptions({
  queryKey: ["users", "count"],
  queryFn: async ({ signal }) => {
    const { total } = await call(
      usersContract.listUsers,
      { query: { limit: 1 } },
      { signal },
    );
    return total;
  },
});
