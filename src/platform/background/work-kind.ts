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
export interface WorkKind<Job> {
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
