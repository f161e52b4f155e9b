import type { Job } from "../../platform/background/job.ts";
import type { Parts } from "./parts.ts";
import { purgeRuns } from "./runs/purge-runs.ts";
import { startDueRuns } from "./schedules/start-runs.ts";
import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { createWorkLoop } from "../../platform/background/work-loop.ts";
import { renewReadings, takeReadings } from "./media/reading-store.ts";
import { workReading } from "./media/work-reading.ts";
import { renewSteps, takeSteps } from "./runs/step-store.ts";
import { workStep } from "./runs/work-step.ts";
import { checkSource } from "./sources/check-source.ts";
import { renewSources, takeSources } from "./sources/store.ts";

const PURGE_INTERVAL_MS = 3_600_000;
const LOOK_INTERVAL_MS = 1_000;

/** The background jobs of automations. */
export function automationJobs(parts: Parts, loops: WorkLoops, retentionMs: number): Job[] {
  return [lookForDueWork(parts, loops), purgeOldRuns(parts, retentionMs)];
}

function lookForDueWork(parts: Parts, { readings, steps, sources }: WorkLoops): Job {
  return {
    name: "look-for-due-work",
    intervalMs: LOOK_INTERVAL_MS,
    replicas: "each",
    onFailure: "due automations are looked for again in a second. Check the database.",
    async run(signal) {
      const due = await findDue(parts.db);
      if (due.readings) readings.look();
      if (due.steps) steps.look();
      if (due.sources) sources.look();
      let begun = due.schedules ? 1 : 0;
      while (begun > 0 && !signal.aborted) begun = await startDueRuns(parts);
    },
  };
}

function purgeOldRuns({ db, files }: Parts, retentionMs: number): Job {
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

/** Which kinds of work are due. */
interface Due {
  readings: boolean;
  steps: boolean;
  sources: boolean;
  schedules: boolean;
}

/** Reads four indexes once: `runs_to_read`, `steps_due`, `sources_due`, `schedules_due`. */
async function findDue(db: Database): Promise<Due> {
  const [due] = await db.query<Due>(
    sql`select exists (select from automations.runs
      where status = 'reading' and due_at <= now()) as readings,
      exists (select from automations.steps where status in ('ready', 'running', 'approval')
      and due_at <= now()) as steps,
      exists (select from automations.sources where is_active and due_at <= now()) as sources,
      exists (select from automations.schedules where is_active and next_at <= now()) as schedules`,
    { name: "automations-due" },
  );
  return due ?? { readings: false, steps: false, sources: false, schedules: false };
}

const MAX_CONCURRENT_READINGS = 8;
const MAX_CONCURRENT_LOOKS = 8;

type WorkLoops = ReturnType<typeof createWorkLoops>;

/** The rows that are work: media to read, agents to run, sources to look at. */
export function createWorkLoops(parts: Parts, { agentsAtOnce }: { agentsAtOnce: number }) {
  const { db, log } = parts;
  const readings = createWorkLoop(
    {
      name: "read-media",
      maxConcurrent: MAX_CONCURRENT_READINGS,
      take: (room) => takeReadings(db, room),
      userOf: ({ userId }) => userId,
      work: (job, signal) => workReading(parts, job, signal),
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
      work: (job, signal) => workStep(parts, job, signal),
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
      work: (job, signal) => checkSource(parts, job, signal),
      renew: (jobs) => renewSources(db, jobs),
    },
    log,
  );
  return { readings, steps, sources };
}
