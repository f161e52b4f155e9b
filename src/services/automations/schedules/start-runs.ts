import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { Forbidden, TooManyRequests } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { RefuseInactive } from "../refuse-inactive.ts";
import type { RunError } from "../contract-runs.ts";
import { toSteps } from "../runs/plan-steps.ts";
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

const BATCH_SIZE = 50;

export interface ClockDeps {
  db: Database;
  log: Logger;
  refuseInactive: RefuseInactive;
}

/**
 * Starts the runs of due schedules. The row lock and the unique tick make sure that one replica
 * starts each. Ticks that were missed while no process ran start one late run. A user with too many
 * runs in progress skips the tick. Schedules of a user who may no longer run them are stopped, with
 * the reason.
 * @returns the number of due schedules.
 */
export async function startDueRuns({
  db,
  log,
  refuseInactive,
}: ClockDeps): Promise<number> {
  const refusals = await findRefusals(await findDueOwners(db, BATCH_SIZE), refuseInactive);
  return db.tx(async () => {
    const due = await lockDue(db, BATCH_SIZE);
    // all replicas lock users in the same order, so they do not deadlock
    const sorted = due.toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
    for (const schedule of sorted) {
      const refusal = refusals.get(schedule.userId);
      if (refusal) {
        await stopSchedule(db, schedule.id, refusal);
        continue;
      }
      const runId = await startUnlessTooMany(db, schedule);
      await saveTick(db, schedule, runId, nextTickOf(schedule, log));
    }
    return due.length;
  });
}

/**
 * The refusals by user, checked before any lock is held. If the check itself fails, the user is not
 * refused: each step of the run checks again.
 */
async function findRefusals(
  owners: ScheduleOwner[],
  refuseInactive: RefuseInactive,
): Promise<Map<string, RunError>> {
  const refusals = new Map<string, RunError>();
  const check = async (owner: ScheduleOwner) => {
    try {
      await refuseInactive(owner);
    } catch (error) {
      if (error instanceof Forbidden)
        refusals.set(owner.userId, {
          code: error.code,
          message: STOP_MESSAGES[error.code] ?? ROLES_MESSAGE,
        });
    }
  };
  await Promise.all(owners.map(check));
  return refusals;
}

const ROLES_MESSAGE =
  "The roles of this account no longer allow it. Ask an administrator, then set isActive again.";
const STOP_MESSAGES: Record<string, string> = {
  user_disabled: "The account was disabled. Set isActive again to continue.",
  user_absent:
    "The account was not used for too long. Sign in, then set isActive again to continue.",
};

async function startUnlessTooMany(
  db: Database,
  schedule: DueSchedule,
): Promise<string | null> {
  // a process whose clock was behind the database's kept a tick that it had started
  if (schedule.lastAt === schedule.tick.toISOString()) return null;
  try {
    return await startRun(db, schedule, { tick: schedule.tick });
  } catch (error) {
    if (error instanceof TooManyRequests) return null;
    throw error;
  }
}

/** Runs in the caller's transaction. @throws TooManyRequests at the limits of the user. */
export async function startRun(
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
  await insertRun(db, run, toSteps(agents));
  return id;
}

/** A stored schedule can become invalid, for example if its time zone was removed. */
function nextTickOf(schedule: DueSchedule, log: Logger): Date | null {
  try {
    return nextTick(schedule, schedule.lockedAt);
  } catch (error) {
    log.error({ err: error, schedule: schedule.id }, "a schedule has no next time");
    return null;
  }
}
