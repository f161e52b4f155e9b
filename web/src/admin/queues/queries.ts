import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { serverContract } from "../../../../src/server/contract.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 20;
const REFRESH_INTERVAL_MS = 10_000;

export type DeadLetter = RouteOk<typeof serverContract.deadLetters>["items"][number];

export const queuesQuery = queryOptions({
  queryKey: ["queues"],
  queryFn: ({ signal }) => call(serverContract.queues, {}, { signal }),
  refetchInterval: REFRESH_INTERVAL_MS,
});

export function deadLettersQuery(name: string) {
  return pagedQuery({
    queryKey: ["queues", "dead", name],
    load: (page, signal) =>
      call(
        serverContract.deadLetters,
        { params: { name }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

/** Without ids: all messages of the queue. */
export function retryDeadLetters(name: string, ids?: string[]) {
  return call(serverContract.retryDeadLetters, { params: { name }, body: { ids } });
}

/** Without ids: all messages of the queue. */
export function discardDeadLetters(name: string, ids?: string[]) {
  const query = ids ? { ids: ids.join(",") } : {};
  return call(serverContract.discardDeadLetters, { params: { name }, query });
}
