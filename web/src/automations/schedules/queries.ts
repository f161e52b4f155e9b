import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { schedulesContract } from "../../../../src/services/automations/contract-schedules.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 50;

export type Schedule = RouteOk<typeof schedulesContract.getSchedule>;
export type NewSchedule = RouteInput<typeof schedulesContract.createSchedule>["body"];
export type ScheduleChange = RouteInput<typeof schedulesContract.changeSchedule>["body"];

export const schedulesQuery = pagedQuery({
  queryKey: ["automations", "schedules"],
  load: (page, signal) =>
    call(schedulesContract.listSchedules, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export function scheduleQuery(id: string) {
  return queryOptions({
    queryKey: ["automation", id],
    queryFn: ({ signal }) =>
      call(schedulesContract.getSchedule, { params: { id } }, { signal }),
  });
}

export function nextTimesQuery(times: { cron: string; timeZone: string }) {
  return queryOptions({
    queryKey: ["next-times", times],
    queryFn: ({ signal }) =>
      call(schedulesContract.previewSchedule, { body: times }, { signal }),
    placeholderData: keepPreviousData,
    enabled: times.cron.trim() !== "" && times.timeZone !== "",
  });
}

export function createSchedule(body: NewSchedule) {
  return call(schedulesContract.createSchedule, { body });
}

export function changeSchedule(id: string, body: ScheduleChange) {
  return call(schedulesContract.changeSchedule, { params: { id }, body });
}

export function deleteSchedule(id: string) {
  return call(schedulesContract.removeSchedule, { params: { id } });
}

export function runSchedule(id: string) {
  return call(schedulesContract.runSchedule, { params: { id } });
}
