import type { Job } from "../../platform/background/job.ts";
import type { Dependencies } from "./dependencies.ts";
import { purgeRuns } from "./runs/purge-runs.ts";
import { startDueRuns } from "./schedules/start-runs.ts";
import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { createDueGuess, firstOf } from "../../platform/background/due-guess.ts";
import { createWorkLoop } from "../../platform/background/work-loop.ts";
import { renewReadings, takeReadings } from "./media/reading-store.ts";
import { workReading } from "./media/work-reading.ts";
import { renewSteps, takeSteps } from "./runs/step-store.ts";
import { workStep } from "./runs/work-step.ts";
import { checkSource } from "./sources/check-source.ts";
import { renewSources, takeSources } from "./sources/store.ts";

/** Notified by the tables whenever work is due at another time. */
export const DUE_CHANGES = "automations_due";

const PURGE_INTERVAL_MS = 3_600_000;
const LOOK_INTERVAL_MS = 1_000;

/** The background jobs of automations. */
export function automationJobs(
  deps: Dependencies,
  loops: WorkLoops,
  retentionMs: number,
): Job[] {
  return [startDueAutomations(deps, loops), purgeOldRuns(deps, retentionMs)];
}

function startDueAutomations(deps: Dependencies, loops: WorkLoops): Job {
  return {
    name: "start-due-automations",
    intervalMs: LOOK_INTERVAL_MS,
    replicas: "each",
    onFailure: "due automations are looked for again in a second. Check the database.",
    run: (signal) => loops.due.lookIfDue(() => startDueWork(deps, loops, signal)),
  };
}

/** @returns in how many ms the next work is due. */
async function startDueWork(
  deps: Dependencies,
  { readings, steps, sources }: WorkLoops,
  signal: AbortSignal,
): Promise<number | undefined> {
  const next = await findNextDue(deps.db);
  if (isDue(next.readings)) readings.look();
  if (isDue(next.steps)) steps.look();
  if (isDue(next.sources)) sources.look();
  let begun = isDue(next.schedules) ? 1 : 0;
  while (begun > 0 && !signal.aborted) begun = await startDueRuns(deps);
  return firstOf(Object.values(next));
}

function purgeOldRuns({ db, files }: Dependencies, retentionMs: number): Job {
  return {
    name: "purge-runs",
    intervalMs: PURGE_INTERVAL_MS,
    replicas: "one",
    onFailure:
      "runs past AUTOMATION_RUN_RETENTION are deleted at the next run. " +
      "Check the database and the file storage.",
    run: (signal) => purgeRuns(db, files, retentionMs, signal),
  };
}

/** In how many ms the first of each kind of work is due; null where there is none. */
interface NextDue {
  readings: number | null;
  steps: number | null;
  sources: number | null;
  schedules: number | null;
}

/** Reads four indexes once: `runs_to_read`, `steps_due`, `sources_due`, `schedules_due`. */
async function findNextDue(db: Database): Promise<NextDue> {
  const [next] = await db.query<NextDue>(
    sql`select ${untilFirst(sql`due_at from automations.runs where status = 'reading'`)} as readings,
      ${untilFirst(sql`due_at from automations.steps
        where status in ('ready', 'running', 'approval')`)} as steps,
      ${untilFirst(sql`due_at from automations.sources
        where is_active and due_at is not null`)} as sources,
      ${untilFirst(sql`next_at from automations.schedules where is_active`)} as schedules`,
    { name: "automations-due" },
  );
  return next ?? { readings: null, steps: null, sources: null, schedules: null };
}

/** `column`: the time of a table's rows, which an index has in order. */
function untilFirst(column: Sql): Sql {
  return sql`(extract(epoch from (select ${column} order by 1 limit 1) - now()) * 1000)::float8`;
}

const isDue = (inMs: number | null) => inMs !== null && inMs <= 0;

const MAX_CONCURRENT_READINGS = 8;
const MAX_CONCURRENT_LOOKS = 8;

type WorkLoops = ReturnType<typeof createWorkLoops>;

/** The rows that are work: media to read, agents to run, sources to look at. */
export function createWorkLoops(
  deps: Dependencies,
  { agentsAtOnce }: { agentsAtOnce: number },
) {
  const { db, log } = deps;
  const readings = createWorkLoop(
    {
      name: "read-media",
      maxConcurrent: MAX_CONCURRENT_READINGS,
      take: (room) => takeReadings(db, room),
      userOf: ({ userId }) => userId,
      work: (job, signal) => workReading(deps, job, signal),
      renew: (jobs) => renewReadings(db, jobs),
    },
    log,
  );
  const steps = createWorkLoop(
    {
      name: "run-agents",
      maxConcurrent: agentsAtOnce,
      take: (room) => takeSteps(db, room),
      userOf: ({ userId }) => userId,
      work: (job, signal) => workStep(deps, job, signal),
      renew: (jobs) => renewSteps(db, jobs),
    },
    log,
  );
  const sources = createWorkLoop(
    {
      name: "look-at-sources",
      maxConcurrent: MAX_CONCURRENT_LOOKS,
      take: (room) => takeSources(db, room),
      userOf: ({ source }) => source.userId,
      work: (job, signal) => checkSource(deps, job, signal),
      renew: (jobs) => renewSources(db, jobs),
    },
    log,
  );
  return { readings, steps, sources, due: createDueGuess() };
}
