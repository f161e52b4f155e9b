import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { stepsOf } from "../runs/plan-steps.ts";
import { insertRun } from "../runs/store.ts";
import { nextTick } from "./next-tick.ts";
import { type DueSchedule, lockDue, saveTick } from "./store.ts";

const MAX_CONCURRENT = 50;

/**
 * Begins the runs of schedules whose time has come: the row's lock and the tick's place among the runs let one replica do it once. What
 * was missed while nobody ran begins once, late. @returns how many.
 */
export async function beginDueRuns(db: Database, log: Logger): Promise<number> {
  return db.tx(async () => {
    const due = await lockDue(db, MAX_CONCURRENT);
    for (const schedule of due) {
      const runId = await beginRun(db, schedule, { tick: schedule.tick });
      await saveTick(db, schedule, runId, nextOf(schedule, log));
    }
    return due.length;
  });
}

/** In the transaction of whoever asks. */
export async function beginRun(
  db: Database,
  schedule: DueSchedule,
  { tick }: { tick?: Date } = {},
): Promise<string> {
  const { id: scheduleId, userId, clientId, name, input, agents } = schedule;
  const id = uuidv7();
  const run = {
    id,
    clientId,
    userId,
    ruleId: null,
    makerId: null,
    name,
    type: "schedule",
    origin: `schedule/${name}`,
    scheduleId,
    madeBy: [],
    status: "reading" as const,
    medium: null,
    storageKey: null,
    conversationId: uuidv7(),
    input,
    tick,
  };
  await insertRun(db, run, stepsOf(agents));
  return id;
}

/** A schedule that was right when it was saved may not be any more, when its time zone is gone. */
function nextOf(schedule: DueSchedule, log: Logger): Date | null {
  try {
    return nextTick(schedule, new Date());
  } catch (error) {
    log.error({ err: error, schedule: schedule.id }, "a schedule has no next time");
    return null;
  }
}
