import { type UseQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { usePermission } from "../../shell/queries.ts";
import { healthQuery as providerHealthQuery } from "../models/queries.ts";
import { queuesQuery } from "../queues/queries.ts";
import { healthQuery } from "../system/queries.ts";
import { statesQuery } from "../tools/queries.ts";
import { usersQuery } from "../users/queries.ts";
import { budgetsQuery } from "./queries.ts";

export type Overview = ReturnType<typeof useOverview>["known"];

type Asked = Pick<
  UseQueryResult,
  "isLoading" | "isFetched" | "failureCount" | "error" | "data" | "refetch"
>;

const OFFLINE = "offline";

/** What the reader may see of the installation: the first page of each list. */
export function useOverview() {
  const mayOperate = usePermission("queue:administer");
  const seesModels = usePermission("model:administer");
  const seesTools = usePermission("tool:administer");
  const seesBudgets = usePermission("budget:administer");
  const health = useQuery({ ...healthQuery, enabled: mayOperate });
  const queues = useQuery({ ...queuesQuery, enabled: mayOperate });
  const providers = useInfiniteQuery({ ...providerHealthQuery, enabled: seesModels });
  const servers = useInfiniteQuery({ ...statesQuery, enabled: seesTools });
  const budgets = useQuery({ ...budgetsQuery, enabled: seesBudgets });
  const users = useInfiniteQuery(usersQuery({}));
  const asked: readonly Asked[] = [health, queues, providers, servers, budgets, users];
  return {
    known: {
      health: health.data,
      queues: queues.data?.queues,
      // what is built in is no provider
      providers: providers.data?.items.filter(({ name }) => name !== OFFLINE),
      servers: servers.data?.items,
      budgets: budgets.data?.items,
      users: users.data?.total,
    },
    queries: asked,
  };
}
