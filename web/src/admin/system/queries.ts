import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { serverContract } from "../../../../src/server/contract.ts";
import { call } from "../../api/call.ts";

const REFRESH_INTERVAL_MS = 15_000;

export type Health = RouteOk<typeof serverContract.health>;
export type Job = Health["jobs"][number];

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => call(serverContract.health, {}, { signal }),
  refetchInterval: REFRESH_INTERVAL_MS,
});
