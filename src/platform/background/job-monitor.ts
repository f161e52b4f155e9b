import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Job } from "./job.ts";

/** What health reports of a job in this process. */
export interface JobStatus {
  service: string;
  name: string;
  replicas: Job["replicas"];
  intervalMs: number;
  /** Of the last run; `waiting` before the first. */
  status: "ok" | "failed" | "waiting";
  runs: number;
  failures: number;
  lastRunAt: string | null;
  lastDurationMs: number | null;
}

/** Counts the runs of one job. */
export interface JobRecorder {
  /** Call it at the start of a run, and the returned function at its end. */
  start(): (outcome: "ok" | "failed") => void;
}

export interface JobMonitor {
  register(service: string, job: Job): JobRecorder;
  statuses(): JobStatus[];
}

const DURATION_BUCKETS_SECONDS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600];

/** Keeps the status of each job for health, and its metrics. */
export function createJobMonitor(registry: Registry): JobMonitor {
  const statuses: JobStatus[] = [];
  const metrics = createJobMetrics(registry);
  return {
    register(service, { name, replicas, intervalMs }) {
      const labels = { service, job: name };
      const status: JobStatus = {
        service,
        name,
        replicas,
        intervalMs,
        status: "waiting",
        runs: 0,
        failures: 0,
        lastRunAt: null,
        lastDurationMs: null,
      };
      statuses.push(status);
      metrics.failures.inc(labels, 0);
      return {
        start() {
          const startedAt = performance.now();
          status.lastRunAt = new Date().toISOString();
          metrics.lastRun.setToCurrentTime(labels);
          return (outcome) => {
            const durationMs = performance.now() - startedAt;
            status.status = outcome;
            status.runs += 1;
            status.lastDurationMs = Math.round(durationMs);
            metrics.duration.observe(labels, durationMs / 1_000);
            if (outcome === "ok") return;
            status.failures += 1;
            metrics.failures.inc(labels);
          };
        },
      };
    },
    statuses: () => statuses,
  };
}

function createJobMetrics(registry: Registry) {
  const labelNames = ["service", "job"];
  const registers = [registry];
  return {
    lastRun: new Gauge({
      name: "job_last_run_timestamp_seconds",
      help: "When the last run of a background job started",
      labelNames,
      registers,
    }),
    duration: new Histogram({
      name: "job_duration_seconds",
      help: "Time of a run of a background job",
      labelNames,
      registers,
      buckets: DURATION_BUCKETS_SECONDS,
    }),
    failures: new Counter({
      name: "job_failures_total",
      help: "Runs of a background job that failed",
      labelNames,
      registers,
    }),
  };
}
