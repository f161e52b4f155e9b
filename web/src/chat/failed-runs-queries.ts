import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { runsContract } from "../../../src/services/automations/contract-runs.ts";
import { call } from "../api/call.ts";
import type { Few } from "./needs-queries.ts";

const SHOWN_RUNS = 3;
const DAY_MS = 86_400_000;
/** A run that failed before this asks for nothing any more. */
const RECENT_MS = 7 * DAY_MS;

export type FailedRun = RouteOk<typeof runsContract.listRuns>["items"][number];

/** The runs of the person that failed lately. */
export const failedRunsQuery = queryOptions({
  queryKey: ["runs", "failed"],
  async queryFn({ signal }): Promise<Few<FailedRun>> {
    const query = { status: "failed", limit: SHOWN_RUNS } as const;
    const { items, total } = await call(runsContract.listRuns, { query }, { signal });
    const isRecent = ({ createdAt }: FailedRun) =>
      Date.now() - Date.parse(createdAt) < RECENT_MS;
    const recent = items.filter(isRecent);
    return { items: recent, hasMore: recent.length === SHOWN_RUNS && total > SHOWN_RUNS };
  },
});
