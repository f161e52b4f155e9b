import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { stepsOf } from "../runs/plan-steps.ts";
import { insertRun } from "../runs/store.ts";
import { nextTick } from "./next-tick.ts";
import { type DueSchedule, lockDue, saveTick } from "./store.ts";

const MAX_CONCURRENT = 50;

/**
 * Begins the runs of schedules that are due. The row's lock and the unique tick let one replica
 * begin each; what was missed while no process ran begins once, late. A user with too many runs in
 * progress gets none for this tick.
 * @returns how many schedules were due.
 */
export async function beginDueRuns(db: Database, log: Logger): Promise<number> {
  return db.tx(async () => {
    const due = await lockDue(db, MAX_CONCURRENT);
    // locks of users are taken in one order: two replicas never wait for each other
    const inOrder = due.toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
    for (const schedule of inOrder) {
      const runId = await beginUnlessTooMany(db, schedule);
      await saveTick(db, schedule, runId, nextOf(schedule, log));
    }
    return due.length;
  });
}

async function beginUnlessTooMany(db: Database, schedule: DueSchedule): Promise<string | null> {
  try {
    return await beginRun(db, schedule, { tick: schedule.tick });
  } catch (error) {
    if (error instanceof TooManyRequests) return null;
    throw error;
  }
}

/** In the caller's transaction. @throws TooManyRequests at the limits of one user. */
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
