import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../telemetry/log.ts";
import { createHeldJobs } from "./held-jobs.ts";
import type { WorkKind } from "./work-kind.ts";

const RENEWAL_INTERVAL_MS = 10_000;
/** How long jobs may take to release their rows when the process stops. */
const RELEASE_WAIT_MS = 3_000;

export interface WorkLoop extends AsyncDisposable {
  start(): void;
  /** Call it when a job is due. */
  look(): void;
  /** Call it when jobs changed: some may be due, and some may not be held any more. */
  wake(): void;
}

/**
 * Takes jobs that are due in the database and works on them beside other replicas. It looks when it
 * starts, when a job ends and when it is called, never by itself.
 */
export function createWorkLoop<Job>(kind: WorkKind<Job>, log: Logger): WorkLoop {
  const stopping = new AbortController();
  const maxPerUser = Math.max(1, Math.floor(kind.maxConcurrent / 2));
  let signal = new AbortController();
  const held = createHeldJobs(kind, log, () => signal.abort());
  let running: Promise<void> | undefined;
  let renewals: NodeJS.Timeout | undefined;

  const take = async (): Promise<{ jobs: Job[]; isFull: boolean }> => {
    const free = kind.maxConcurrent - held.size();
    if (free === 0) return { jobs: [], isFull: false };
    const room = { free, maxPerUser, held: held.countByUser() };
    const jobs = await kind.take(room).catch((error: unknown) => {
      log.warn(
        { err: error, work: kind.name },
        "due jobs could not be claimed; it is tried again",
      );
      return [];
    });
    return { jobs, isFull: jobs.length === free };
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      signal = new AbortController();
      const { jobs, isFull } = await take();
      for (const job of jobs) held.begin(job);
      if (jobs.length > 0 && isFull) continue;
      await aborted(AbortSignal.any([signal.signal, stopping.signal]));
    }
  };

  return {
    start() {
      renewals = setInterval(() => void held.renew(), RENEWAL_INTERVAL_MS).unref();
      running = loop();
    },
    look: () => signal.abort(),
    wake() {
      signal.abort();
      void held.renew();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      await Promise.race([held.stop(), sleep(RELEASE_WAIT_MS, undefined, { ref: false })]);
      clearInterval(renewals);
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
