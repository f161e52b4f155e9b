import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Room } from "./claim-fairly.ts";

const HEARTBEAT_MS = 10_000;
/** How long what is in work may take to let go when the process ends. */
const RELEASE_MS = 3_000;

interface WorkKind<Job> {
  name: string;
  /** In work at once, in this process. */
  most: number;
  /** Claims jobs that are due, for a lease. */
  take(room: Room): Promise<Job[]>;
  /** In whose name the job is done: one user has at most half of the places. */
  userOf(job: Job): string;
  /**
   * Stores its own outcome. What it throws is logged; its lease ends and it comes again. `signal`
   * aborts when the job is not held any more or the process ends.
   */
  work(job: Job, signal: AbortSignal): Promise<void>;
  /** Renews the leases. @returns the indexes of those that are still held. */
  renew(jobs: readonly Job[]): Promise<Set<number>>;
}

export interface WorkLoop extends AsyncDisposable {
  /** Something is due. */
  look(): void;
  /** Something may be due, or be held no more. */
  wake(): void;
}

/**
 * Codes of calls to a sibling that restarts, or cannot be reached: it will be back, and nothing
 * counts until then.
 */
export const SIBLING_AWAY = [
  "service_unreachable",
  "upstream_timeout",
  "sibling_refused",
  "shutting_down",
];

/** Why a job's signal aborts. */
export const ENDING = "the process ends";
export const LOST = "the job is not held any more";

/**
 * Takes what is due in the database and works on it, side by side with other replicas; when it
 * starts and when it is told to.
 */
export function startWorkLoop<Job>(
  { name, most, take, userOf, work, renew }: WorkKind<Job>,
  log: Logger,
): WorkLoop {
  const working = new Map<Job, { ended: Promise<void>; stop: AbortController }>();
  const stopping = new AbortController();
  let bell = new AbortController();

  const perUser = Math.max(1, Math.floor(most / 2));
  const held = () => {
    const counts = new Map<string, number>();
    for (const job of working.keys()) counts.set(userOf(job), (counts.get(userOf(job)) ?? 0) + 1);
    return counts;
  };
  const start = (job: Job) => {
    const stop = new AbortController();
    const ended = work(job, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          log.error(
            { err: error, work: name },
            "a job of automations broke off; it will come again",
          );
      })
      .finally(() => {
        working.delete(job);
        bell.abort();
      });
    working.set(job, { ended, stop });
  };
  const beat = async () => {
    const jobs = [...working.keys()];
    if (jobs.length === 0) return;
    const kept = await renew(jobs).catch((error: unknown) => {
      log.warn({ err: error, work: name }, "leases of automations could not be renewed");
      return undefined;
    });
    if (kept)
      for (const [index, job] of jobs.entries())
        if (!kept.has(index)) working.get(job)?.stop.abort(LOST);
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      bell = new AbortController();
      const free = most - working.size;
      const taken = free > 0 ? await take({ free, perUser, held: held() }).catch(logged) : [];
      for (const job of taken) start(job);
      if (taken.length > 0 && taken.length === free) continue;
      await rung(AbortSignal.any([bell.signal, stopping.signal]));
    }
  };
  const logged = (error: unknown): Job[] => {
    log.warn({ err: error, work: name }, "due jobs of automations could not be taken");
    return [];
  };

  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS).unref();
  const running = loop();
  return {
    look: () => bell.abort(),
    wake() {
      bell.abort();
      void beat();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      const jobs = [...working.values()];
      for (const { stop } of jobs) stop.abort(ENDING);
      await Promise.race([
        Promise.all(jobs.map(({ ended }) => ended)),
        sleep(RELEASE_MS, undefined, { ref: false }),
      ]);
      clearInterval(heartbeat);
    },
  };
}

async function rung(bell: AbortSignal): Promise<void> {
  if (!bell.aborted)
    await new Promise((resolve) => bell.addEventListener("abort", resolve, { once: true }));
}
