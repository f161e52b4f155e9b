import { createWorkLoop } from "../../platform/background/work-loop.ts";
import { renewReadings, takeReadings } from "./media/reading-store.ts";
import { workReading } from "./media/work-reading.ts";
import type { Parts } from "./parts.ts";
import { renewSteps, takeSteps } from "./runs/step-store.ts";
import { workStep } from "./runs/work-step.ts";
import { checkSource } from "./sources/check-source.ts";
import { renewSources, takeSources } from "./sources/store.ts";

const MAX_CONCURRENT_READINGS = 8;
const MAX_CONCURRENT_LOOKS = 8;

export type WorkLoops = ReturnType<typeof createWorkLoops>;

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
