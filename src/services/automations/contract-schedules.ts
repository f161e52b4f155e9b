import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { RuleAgents } from "./contract-agents.ts";
import { RunError, AcceptedMedium } from "./contract-runs.ts";

/** Schedules, which start agents by the clock without a medium. */

const Fields = z.object({
  name: z.string().trim().min(1).max(200),
  cron: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe("Minute, hour, day of month, month, day of week: `0 9 * * 1-5`"),
  timeZone: z.string().min(1).max(100).describe("IANA name, such as Europe/Berlin"),
  input: z
    .string()
    .min(1)
    .max(100_000)
    .describe("What the agents receive as the transcript"),
  agents: RuleAgents,
  isActive: z.boolean(),
});
export const NewSchedule = Fields.extend({
  timeZone: Fields.shape.timeZone.default("UTC"),
  isActive: Fields.shape.isActive.default(true),
});
export type NewSchedule = z.output<typeof NewSchedule>;
export const ScheduleChange = Fields.partial();
export type ScheduleChange = z.output<typeof ScheduleChange>;

export const MAX_NEXT_TIMES = 5;
const NextTimes = z
  .array(z.iso.datetime())
  .describe(`Up to ${MAX_NEXT_TIMES} times at which it will run; empty if it is inactive`);

export const Schedule = Fields.extend({
  id: z.uuid(),
  nextAt: z.iso
    .datetime()
    .nullable()
    .describe("null if the schedule is inactive or has no next time"),
  nextTimes: NextTimes,
  lastAt: z.iso.datetime().nullable(),
  lastRunId: z.uuid().nullable(),
  error: RunError.nullable().describe(
    "Why the server stopped it; null once it is active again",
  ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Schedule = z.output<typeof Schedule>;

const byId = z.object({ id: z.uuid() });
const base = "/api/automations/schedules";
const access = ["jwt", "key"] as const;

export const schedulesContract = {
  listSchedules: route({
    method: "get",
    path: base,
    access,
    permission: "automation:read",
    summary: "List the caller's schedules",
    query: pageQuery,
    ok: pageOf(Schedule),
  }),
  createSchedule: route({
    method: "post",
    path: base,
    changes: "automation",
    access,
    permission: "automation:create",
    summary: "Create a schedule",
    body: NewSchedule,
    status: 201,
    ok: Schedule,
  }),
  previewSchedule: route({
    method: "post",
    path: `${base}/preview`,
    changes: "none",
    access,
    permission: "automation:read",
    summary: "Compute the next times of a cron expression; nothing is stored",
    body: NewSchedule.pick({ cron: true, timeZone: true }),
    ok: z.object({ nextTimes: NextTimes }),
  }),
  getSchedule: route({
    method: "get",
    path: `${base}/:id`,
    access,
    permission: "automation:read",
    summary: "Read a schedule",
    params: byId,
    ok: Schedule,
  }),
  changeSchedule: route({
    method: "patch",
    path: `${base}/:id`,
    changes: "automation/:id",
    access,
    permission: "automation:update",
    summary: "Change a schedule",
    params: byId,
    body: ScheduleChange,
    ok: Schedule,
  }),
  removeSchedule: route({
    method: "delete",
    path: `${base}/:id`,
    changes: "automation/:id",
    access,
    permission: "automation:delete",
    summary: "Delete a schedule; its runs stay",
    params: byId,
  }),
  runSchedule: route({
    method: "post",
    path: `${base}/:id/run`,
    changes: "automation/:id",
    access,
    permission: "automation:run",
    summary: "Start a run of a schedule now",
    params: byId,
    status: 202,
    ok: AcceptedMedium,
  }),
};
