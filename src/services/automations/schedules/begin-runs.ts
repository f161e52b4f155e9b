import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { Forbidden, TooManyRequests } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { RefuseInactive } from "../acting-user.ts";
import type { RunError } from "../contract-runs.ts";
import { stepsOf } from "../runs/plan-steps.ts";
import { insertRun } from "../runs/store.ts";
import { nextTick } from "./next-tick.ts";
import {
  type DueSchedule,
  findDueOwners,
  lockDue,
  saveTick,
  type ScheduleOwner,
  stopSchedule,
} from "./store.ts";

const MAX_CONCURRENT = 50;

export interface ClockDeps {
  db: Database;
  log: Logger;
  refuseInactive: RefuseInactive;
}

/**
 * Begins the runs of schedules that are due. The row's lock and the unique tick let one replica
 * begin each; what was missed while no process ran begins once, late. A user with too many runs in
 * progress gets none for this tick. Schedules of a user who may not run them stop, with the reason.
 * @returns how many schedules were due.
 */
export async function beginDueRuns({ db, log, refuseInactive }: ClockDeps): Promise<number> {
  const refusals = await findRefusals(await findDueOwners(db, MAX_CONCURRENT), refuseInactive);
  return db.tx(async () => {
    const due = await lockDue(db, MAX_CONCURRENT);
    // locks of users are taken in one order: two replicas never wait for each other
    const inOrder = due.toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
    for (const schedule of inOrder) {
      const refusal = refusals.get(schedule.userId);
      if (refusal) {
        await stopSchedule(db, schedule.id, refusal);
        continue;
      }
      const runId = await beginUnlessTooMany(db, schedule);
      await saveTick(db, schedule, runId, nextOf(schedule, log));
    }
    return due.length;
  });
}

/**
 * By user, asked before any lock is held. A user who cannot be asked about now is not refused:
 * each step of the run asks again.
 */
async function findRefusals(
  owners: ScheduleOwner[],
  refuseInactive: RefuseInactive,
): Promise<Map<string, RunError>> {
  const refusals = new Map<string, RunError>();
  const ask = async (owner: ScheduleOwner) => {
    try {
      await refuseInactive(owner);
    } catch (error) {
      if (error instanceof Forbidden)
        refusals.set(owner.userId, { code: error.code, message: STOPPED[error.code] ?? NO_ROLE });
    }
  };
  await Promise.all(owners.map(ask));
  return refusals;
}

const NO_ROLE =
  "The roles of this account no longer permit it. Ask an administrator, then set isActive again.";
const STOPPED: Record<string, string> = {
  user_disabled: "The account was disabled. Set isActive again to go on.",
};

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
