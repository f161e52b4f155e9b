import type { Logger } from "../telemetry/log.ts";
import { LEASE_LOST, STOPPING, type WorkKind } from "./work-kind.ts";

/** The jobs that this process works on, under leases. */
export interface HeldJobs<Job> {
  size(): number;
  countByUser(): ReadonlyMap<string, number>;
  begin(job: Job): void;
  /** Renews the leases, and aborts the jobs whose lease another process has. */
  renew(): Promise<void>;
  /** Aborts every job. Resolves when all have ended. */
  stop(): Promise<void>;
}

/** `onEnd` is called each time a job ends. */
export function createHeldJobs<Job>(
  kind: WorkKind<Job>,
  log: Logger,
  onEnd: () => void,
): HeldJobs<Job> {
  const working = new Map<Job, { ended: Promise<void>; stop: AbortController }>();

  return {
    size: () => working.size,
    countByUser: () => countByUser(working.keys(), kind.userOf),
    begin(job) {
      const stop = new AbortController();
      const ended = kind
        .work(job, stop.signal)
        .catch((error: unknown) => {
          if (stop.signal.aborted) return;
          log.error(
            { err: error, work: kind.name },
            "a job failed; it is done again after its lease",
          );
        })
        .finally(() => {
          working.delete(job);
          onEnd();
        });
      working.set(job, { ended, stop });
    },
    async renew() {
      const jobs = [...working.keys()];
      if (jobs.length === 0) return;
      const held = await kind.renew(jobs).catch((error: unknown) => {
        log.warn(
          { err: error, work: kind.name },
          "leases could not be renewed; it is tried again",
        );
        return undefined;
      });
      if (held === undefined) return;
      for (const [index, job] of jobs.entries())
        if (!held.has(index)) working.get(job)?.stop.abort(LEASE_LOST);
    },
    async stop() {
      const jobs = [...working.values()];
      for (const { stop } of jobs) stop.abort(STOPPING);
      await Promise.all(jobs.map(({ ended }) => ended));
    },
  };
}

function countByUser<Job>(
  jobs: Iterable<Job>,
  userOf: (job: Job) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const job of jobs) counts.set(userOf(job), (counts.get(userOf(job)) ?? 0) + 1);
  return counts;
}
