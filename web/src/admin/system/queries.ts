import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { serverContract } from "../../../../src/server/contract.ts";
import { call } from "../../api/call.ts";

const REFRESH_INTERVAL_MS = 15_000;

export type Health = Extract<RouteOk<typeof serverContract.health>, { checks: unknown }>;
export type Job = Health["jobs"][number];

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: async ({ signal }) => {
    const health = await call(serverContract.health, {}, { signal });
    if ("checks" in health) return health;
    throw new Error("the details of health are for administrators");
  },
  refetchInterval: REFRESH_INTERVAL_MS,
});
