import type { Job } from "../../platform/background/job.ts";
import { findDue } from "./find-due.ts";
import type { Parts } from "./parts.ts";
import { purgeRuns } from "./runs/purge-runs.ts";
import { startDueRuns } from "./schedules/start-runs.ts";
import type { WorkLoops } from "./work-loops.ts";

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
