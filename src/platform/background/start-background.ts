import type { Database } from "../db/database.ts";
import type { Leases } from "../lease/leases.ts";
import { type Handler, Poison, type Queue } from "../queue/queue.ts";
import type { Service } from "../service.ts";
import type { Logger } from "../telemetry/log.ts";
import type { JobMonitor } from "./job-monitor.ts";
import { startJob } from "./start-job.ts";
import { endsWithin } from "../within.ts";

/** How long the stop waits for runs of jobs to end after their signal has aborted. */
const STOP_WAIT_MS = 10_000;

interface Deps {
  db: Database | undefined;
  queue: Queue | undefined;
  leases: Leases | undefined;
  /** Whether messages of other systems are refused everywhere. */
  refuseForeign?: boolean;
  monitor: JobMonitor;
}

interface Part {
  definition: { name: string };
  service: Pick<Service, "consumers" | "jobs" | "subscriptions" | "workLoops">;
  log: Logger;
}

export interface Background {
  /**
   * Starts the background work of the services in their order, and waits for the first runs that
   * the start needs.
   */
  start(parts: readonly Part[]): Promise<void>;
  /** Stops all of it, in bounded time. Messages and rows that are left return to other workers. */
  stop(): Promise<void>;
}

/** Runs what services declare as consumers, jobs and work loops. */
export function createBackground(deps: Deps): Background {
  const { db, queue, leases, refuseForeign = false, monitor } = deps;
  const stopping = new AbortController();
  const open: AsyncDisposable[] = [];
  const running: { name: string; ended: Promise<void>; log: Logger }[] = [];

  async function startPart({ definition: { name }, service, log }: Part): Promise<void> {
    for (const consumer of service.consumers ?? []) {
      const { queue: from, handle, options } = consumer;
      const handler = consumer.foreign && !refuseForeign ? handle : signedOnly(handle);
      open.push(await declared(queue, name, "queue").consume(from, handler, options));
    }
    for (const loop of service.workLoops ?? []) {
      open.push(loop);
      loop.start();
    }
    for (const { channel, onNotification, onGap } of service.subscriptions ?? [])
      open.push(
        await declared(db, name, "migrations").listen(channel, onNotification, onGap),
      );
    for (const job of service.jobs ?? []) {
      const recorder = monitor.register(name, job);
      const isAlone = db?.isEmbedded === true;
      const deps = {
        service: name,
        log,
        recorder,
        leases,
        isAlone,
        stopping: stopping.signal,
      };
      const { started, ended } = startJob(job, deps);
      running.push({ name: job.name, ended, log });
      await started;
    }
  }

  return {
    async start(parts) {
      for (const part of parts) await startPart(part);
    },
    async stop() {
      stopping.abort();
      const jobs = running.map(({ name, ended, log }) => endInTime(name, ended, log));
      await Promise.all([...jobs, ...open.map((one) => one[Symbol.asyncDispose]())]);
    },
  };
}

/** Refuses messages that this installation did not send: whoever may publish could send them. */
function signedOnly(handle: Handler): Handler {
  return async (delivery) => {
    if (delivery.isOwn) return handle(delivery);
    throw new Poison(
      "message_unsigned",
      "The message has no signature of this installation. Sign it with SERVICE_SECRET, or call the service over HTTP instead.",
    );
  };
}

async function endInTime(name: string, ended: Promise<void>, log: Logger): Promise<void> {
  if (!(await endsWithin(STOP_WAIT_MS, ended)))
    log.warn(
      { job: name },
      `${name} did not stop in time; what it left is done at its next run`,
    );
}

function declared<Store>(store: Store | undefined, service: string, key: string): Store {
  if (store) return store;
  throw new Error(
    `The service ${service} uses a store that it does not declare: add "${key}".`,
  );
}
