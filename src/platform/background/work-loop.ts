import type { Logger } from "../telemetry/log.ts";
import { endsWithin } from "../within.ts";
const RENEWAL_INTERVAL_MS = 10_000;
/** Later than this, the process was paused: its leases may have ended. */
const LATE_RENEWAL_MS = 2 * RENEWAL_INTERVAL_MS;
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
    // a process must not claim, as lost, what it still works on itself
    await held.renewLate();
    const capacity = { free, maxPerUser, held: held.countByUser() };
    const jobs = await kind.take(capacity).catch((error: unknown) => {
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
      await endsWithin(RELEASE_WAIT_MS, held.stop());
      clearInterval(renewals);
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

/** The jobs that this process works on, under leases. */
interface HeldJobs<Job> {
  size(): number;
  countByUser(): ReadonlyMap<string, number>;
  begin(job: Job): void;
  /** Renews the leases, and aborts the jobs whose lease another process has. */
  renew(): Promise<void>;
  /** Renews the leases if that is overdue. */
  renewLate(): Promise<void>;
  /** Aborts every job. Resolves when all have ended. */
  stop(): Promise<void>;
}

/** `onEnd` is called each time a job ends. */
function createHeldJobs<Job>(
  kind: WorkKind<Job>,
  log: Logger,
  onEnd: () => void,
): HeldJobs<Job> {
  const working = new Map<Job, { ended: Promise<void>; stop: AbortController }>();
  let renewedAt = performance.now();

  const renew = async () => {
    const now = performance.now();
    const jobs = [...working.keys()];
    if (jobs.length === 0) {
      renewedAt = now;
      return;
    }
    const held = await kind.renew(jobs).catch((error: unknown) => {
      log.warn(
        { err: error, work: kind.name },
        "leases could not be renewed; it is tried again",
      );
      return undefined;
    });
    if (held === undefined) return;
    renewedAt = now;
    for (const [index, job] of jobs.entries())
      if (!held.has(index)) working.get(job)?.stop.abort(LEASE_LOST);
  };

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
    renew,
    async renewLate() {
      if (performance.now() - renewedAt > LATE_RENEWAL_MS) await renew();
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

/** The reasons why a job's signal aborts. */
export const STOPPING = "the process stops";
export const LEASE_LOST = "the lease is lost";

/** How many jobs a process may take now, and how many it holds of each user. */
export interface Capacity {
  free: number;
  maxPerUser: number;
  held: ReadonlyMap<string, number>;
}

/** Rows of a table that are work: claimed under a lease that is renewed while the work is done. */
interface WorkKind<Job> {
  name: string;
  /** Jobs in progress at once in this process; one user has at most half of them. */
  maxConcurrent: number;
  /** Claims jobs that are due, for a lease. */
  take(capacity: Capacity): Promise<Job[]>;
  /** The user of a job. */
  userOf(job: Job): string;
  /**
   * Does a job and stores its outcome. When it throws, the failure is logged, and the job is due
   * again when its lease expires. `signal` aborts with `STOPPING` or `LEASE_LOST`.
   */
  work(job: Job, signal: AbortSignal): Promise<void>;
  /** Renews the leases. @returns the indexes of the jobs that this process still holds. */
  renew(jobs: readonly Job[]): Promise<Set<number>>;
}
