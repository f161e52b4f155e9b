import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { usePermission } from "../../shell/queries.ts";
import { queuesQuery } from "../queues/queries.ts";
import { healthQuery as systemHealthQuery } from "../system/queries.ts";
import {
  budgetsQuery,
  healthQuery,
  providersQuery,
  statesQuery,
  userCountQuery,
} from "./queries.ts";

export type Overview = ReturnType<typeof useOverview>["known"];

type OverviewQuery = Pick<
  UseQueryResult,
  "isLoading" | "isFetched" | "failureCount" | "error" | "data" | "refetch"
>;

const OFFLINE = "offline";

/** What the reader may see of the installation. */
export function useOverview() {
  const mayOperate = usePermission("queue:administer");
  const seesModels = usePermission("model:administer");
  const seesTools = usePermission("tool:administer");
  const seesBudgets = usePermission("budget:administer");
  const health = useQuery({ ...systemHealthQuery, enabled: mayOperate });
  const queues = useQuery({ ...queuesQuery, enabled: mayOperate });
  const calls = useQuery({ ...healthQuery, enabled: seesModels });
  // only what fails is named
  const hasFailed = calls.data?.some(({ lastFailure }) => lastFailure !== null) ?? false;
  const providers = useQuery({ ...providersQuery, enabled: seesModels && hasFailed });
  const servers = useQuery({ ...statesQuery, enabled: seesTools });
  const budgets = useQuery({ ...budgetsQuery, enabled: seesBudgets });
  const users = useQuery(userCountQuery);
  const asked: readonly OverviewQuery[] = [
    health,
    queues,
    providers,
    calls,
    servers,
    budgets,
    users,
  ];
  const named = new Map(
    providers.data?.map(({ name, displayName }) => [name, displayName]),
  );
  return {
    known: {
      health: health.data,
      queues: queues.data?.queues,
      // what is built in is no provider
      providers: calls.data
        ?.filter(({ name }) => name !== OFFLINE)
        .map((one) => ({ ...one, displayName: named.get(one.name) ?? one.name })),
      servers: servers.data,
      budgets: budgets.data,
      users: users.data,
    },
    queries: asked,
  };
}
