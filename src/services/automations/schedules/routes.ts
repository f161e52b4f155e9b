import type { Database } from "../../../platform/db/database.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { checkAgents } from "../check-agents.ts";
import {
  MAX_NEXT_TIMES,
  type Schedule,
  schedulesContract as contract,
} from "../contract-schedules.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { startRun } from "./start-runs.ts";
import { firstTick, nextTicks } from "./next-tick.ts";
import {
  countSchedules,
  findSchedule,
  insertSchedule,
  listSchedules,
  lockOwnSchedule,
  removeSchedule,
  type StoredSchedule,
  updateSchedule,
} from "./store.ts";

interface Deps {
  db: Database;
  core: Fetch;
}

type Timing = Pick<StoredSchedule, "cron" | "timeZone" | "isActive">;

const MAX_SCHEDULES = 100;

export function scheduleRoutes(routes: Routes, { db, core }: Deps): Routes {
  const findOwn = async (userId: string, id: string) => {
    const schedule = await findSchedule(db, userId, id);
    if (!schedule) throw scheduleNotFound();
    return schedule;
  };
  return routes
    .on(contract.listSchedules, async ({ caller, query: { page, limit } }) => {
      const { userId } = userOf(caller);
      const { items, total } = await listSchedules(
        db,
        userId,
        limit,
        offsetOf({ page, limit }),
      );
      return { items: items.map(withNextTimes), total, page, limit };
    })
    .on(contract.previewSchedule, ({ body }) => ({ nextTimes: nextTimesOf(body) }))
    .on(contract.createSchedule, async ({ caller, body }) => {
      const user = userOf(caller);
      const nextAt = nextTimeOf(body);
      await checkAgents(core, user, body.agents);
      const limit = {
        key: `schedules of ${user.userId}`,
        max: MAX_SCHEDULES,
        count: () => countSchedules(db, user.userId),
        code: "too_many_schedules",
        message: `You have ${MAX_SCHEDULES} schedules. Delete one first.`,
      };
      const insert = () => insertSchedule(db, body, user, nextAt);
      const id = await insertWithinLimit(db, limit, insert);
      return withNextTimes(await findOwn(user.userId, id));
    })
    .on(contract.getSchedule, async ({ caller, params }) =>
      withNextTimes(await findOwn(userOf(caller).userId, params.id)),
    )
    .on(contract.changeSchedule, async ({ caller, params, body }) => {
      const user = userOf(caller);
      const current = await findOwn(user.userId, params.id);
      if (body.agents) await checkAgents(core, user, body.agents);
      const change = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== undefined),
      );
      const changed = { ...current, ...change };
      await updateSchedule(db, changed, nextTimeAfterChange(current, changed));
      return withNextTimes(await findOwn(user.userId, params.id));
    })
    .on(contract.removeSchedule, async ({ caller, params }) => {
      if (!(await removeSchedule(db, userOf(caller).userId, params.id)))
        throw scheduleNotFound();
    })
    .on(contract.runSchedule, ({ caller, params }) =>
      db.tx(async () => {
        const schedule = await lockOwnSchedule(db, userOf(caller).userId, params.id);
        if (!schedule) throw scheduleNotFound();
        return { runId: await startRun(db, schedule), ruleId: null };
      }),
    );
}

function nextTimeOf(schedule: Timing): Date | null {
  const next = firstTick(schedule, new Date());
  return schedule.isActive ? next : null;
}

/** A change of anything but the times leaves the next run where it is. */
function nextTimeAfterChange(current: StoredSchedule, changed: Timing): Date | null {
  const fields = ["cron", "timeZone", "isActive"] as const;
  if (fields.some((field) => changed[field] !== current[field])) return nextTimeOf(changed);
  return current.nextAt === null ? null : new Date(current.nextAt);
}

function withNextTimes(schedule: StoredSchedule): Schedule {
  return { ...schedule, nextTimes: schedule.isActive ? nextTimesOf(schedule) : [] };
}

function nextTimesOf(schedule: { cron: string; timeZone: string }): string[] {
  return nextTicks(schedule, new Date(), MAX_NEXT_TIMES).map((time) => time.toISOString());
}

function scheduleNotFound(): NotFound {
  return new NotFound(
    "schedule_not_found",
    "You have no such schedule. GET /api/automations/schedules lists yours.",
  );
}
