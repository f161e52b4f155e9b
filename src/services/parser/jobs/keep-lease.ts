import type { Database } from "../../../platform/db/database.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { extendLease, type StoredJob } from "./job-store.ts";
import { publishProgress } from "./publish-outcome.ts";

export const LEASE_MS = 30_000;
/** How often a worker extends the lease, and checks whether its job is still wanted. */
const EXTEND_INTERVAL_MS = 2_000;
/** Progress is published at least and at most this often. */
const MAX_PUBLISH_INTERVAL_MS = 30_000;
const MIN_PUBLISH_INTERVAL_MS = 1_000;

/**
 * Extends the lease of a job and publishes its progress until `end` is called.
 * @param onLost is called when the job was ended, or another worker has taken it.
 */
export function keepLease(
  { db, queue }: { db: Database; queue: Queue },
  job: StoredJob,
  worker: string,
  onLost: () => void,
) {
  let progress = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;
  const publish = (message?: string) => {
    publishedAt = performance.now();
    publishProgress(queue, job, progress, message);
  };
  const timer = setInterval(() => {
    extendLease(db, job.id, worker, LEASE_MS, progress).then(
      (extended) => !extended && onLost(),
      () => {}, // the lease is long enough for a short outage of the database
    );
    if (performance.now() - publishedAt > MAX_PUBLISH_INTERVAL_MS) publish();
  }, EXTEND_INTERVAL_MS).unref();
  return {
    report(share: number, message: string) {
      progress = share;
      if (performance.now() - publishedAt > MIN_PUBLISH_INTERVAL_MS) publish(message);
    },
    end: () => clearInterval(timer),
  };
}
