import { queryOptions } from "@tanstack/react-query";
import type { RouteEvent, RouteOk } from "../../../../src/platform/http/route.ts";
import { runsContract } from "../../../../src/services/automations/contract-runs.ts";
import { call } from "../../api/call.ts";
import { stream } from "../../api/stream.ts";
import { upload, type UploadOptions } from "../../api/upload.ts";
import { pagedQuery } from "../../shell/paged.ts";
import type { RunFilter } from "../filters.ts";

const PAGE = 50;

export type Run = RouteOk<typeof runsContract.getRun>;
export type RunSummary = RouteOk<typeof runsContract.listRuns>["items"][number];
export type RunAgent = Run["agents"][number];
export type RunEvent = RouteEvent<typeof runsContract.runEvents>;

export function runsQuery({ state, rule, source, schedule }: RunFilter) {
  return pagedQuery({
    queryKey: ["runs", "list"],
    filter: [state, rule, source, schedule],
    load: (page, signal) =>
      call(
        runsContract.listRuns,
        {
          query: {
            page,
            limit: PAGE,
            status: state,
            ruleId: rule,
            sourceId: source,
            scheduleId: schedule,
          },
        },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ["run", id],
    queryFn: ({ signal }) => call(runsContract.getRun, { params: { id } }, { signal }),
  });
}

export function followRun(id: string, signal: AbortSignal) {
  return stream(runsContract.runEvents, { params: { id } }, { signal });
}

export function sendMedium(file: File, options: UploadOptions) {
  return upload(runsContract.takeMedium, file, options);
}

export function cancelRun(id: string) {
  return call(runsContract.cancelRun, { params: { id } });
}

export function retryRun(id: string) {
  return call(runsContract.retryRun, { params: { id } });
}

export function rerun(id: string) {
  return call(runsContract.rerun, { params: { id } });
}

export function deleteRun(id: string) {
  return call(runsContract.removeRun, { params: { id } });
}

/** Whether what failed of a run can be tried again. */
export function isRetried({ status }: Pick<RunSummary, "status">): boolean {
  return status === "failed" || status === "cancelled";
}
