import { setTimeout as sleep } from "node:timers/promises";
import type { Leases } from "../lease/leases.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Job } from "./job.ts";
import type { JobRecorder } from "./job-monitor.ts";

interface Deps {
  /** The service of the job: part of the name of its lease. */
  service: string;
  log: Logger;
  recorder: JobRecorder;
  /** Undefined in a process without a database. */
  leases: Leases | undefined;
  /** Whether no other process can use the database: no lease is needed then. */
  isAlone: boolean;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
}

/** A timer that is later than this was in a process that stood still. */
const PAUSED_MS = 3_000;

export interface RunningJob {
  /** Resolves when the start need not wait any longer. Rejects when a required run failed. */
  started: Promise<void>;
  /** Resolves after `stopping` has aborted and the last run has ended. */
  ended: Promise<void>;
}

/** Repeats a job until the process stops. Runs of one job never overlap in a process. */
export function startJob(job: Job, deps: Deps): RunningJob {
  const { log, stopping } = deps;
  const logFailure = (error: unknown) =>
    log.warn({ err: error, job: job.name }, `${job.name} failed: ${job.onFailure}`);
  const first = job.atStart ? runOnce(job, deps) : Promise.resolve();
  const repeat = async () => {
    await first.catch(logFailure);
    let isLeftOut = false;
    while (!stopping.aborted) {
      const start = performance.now();
      await pause(job.intervalMs, stopping);
      const lateMs = performance.now() - start - job.intervalMs;
      // once: a process that is always late would recover nothing
      isLeftOut = job.judgesSilence === true && lateMs > PAUSED_MS && !isLeftOut;
      if (!stopping.aborted && !isLeftOut) await runOnce(job, deps).catch(logFailure);
    }
  };
  return { started: firstRun(job, first, stopping), ended: repeat() };
}

async function firstRun(
  job: Job,
  first: Promise<void>,
  stopping: AbortSignal,
): Promise<void> {
  if (!job.atStart) return;
  const { waitMs, required = false } = job.atStart;
  // the job logs its failure, and runs again
  const settled = required ? first : first.catch(() => {});
  await Promise.race([settled, pause(waitMs, stopping)]);
}

/** Runs a job once. With `replicas: "one"`, only when no other process does. */
async function runOnce(job: Job, deps: Deps): Promise<void> {
  const { service, leases, isAlone, stopping } = deps;
  if (job.replicas === "each" || isAlone) return runRecorded(job, deps, stopping);
  await using lease = await leasesOf(job, leases).take(`job ${service} ${job.name}`);
  if (lease) await runRecorded(job, deps, AbortSignal.any([stopping, lease.signal]));
}

async function runRecorded(job: Job, { recorder, stopping }: Deps, signal: AbortSignal) {
  const end = recorder.start();
  try {
    await job.run(signal);
    end("ok");
  } catch (error) {
    // a run that ends because the process stops has not failed
    if (stopping.aborted) return end("ok");
    end("failed");
    throw error;
  }
}

function leasesOf(job: Job, leases: Leases | undefined): Leases {
  if (leases) return leases;
  throw new Error(
    `${job.name} runs on one replica, so its service must declare migrations.`,
  );
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  // ended by the stop
  await sleep(ms, undefined, { signal: stopping, ref: false }).catch(() => {});
}
