import type { ConsumeOptions, Handler } from "../queue/queue.ts";

/** Work that a service repeats for as long as its process runs. */
export interface Job {
  /** Verb and noun, such as `purge-trash`. Unique in its service; a label of metrics. */
  name: string;
  /** From the end of one run to the start of the next. */
  intervalMs: number;
  /**
   * `each`: every process runs it. `one`: one process at a time, under a lease in the database; the
   * others skip that run.
   */
  replicas: "each" | "one";
  /** Absent: the first run comes after one interval. */
  atStart?: FirstRun;
  /**
   * It takes for lost what has been silent for long. A process that stood still was itself silent:
   * its first run after that is left out, so that what it holds is renewed first.
   */
  judgesSilence?: true;
  /** The log line of a run that fails: what did not happen, and what to do about it. */
  onFailure: string;
  /** `signal` aborts when the process stops or another process may hold the lease. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** A run at the start of the process. */
export interface FirstRun {
  /** How long the start waits for it. */
  waitMs: number;
  /** Whether its failure within that time stops the start. */
  required?: boolean;
}

/** Handles the messages of one queue. */
export interface Consumer {
  queue: string;
  handle: Handler;
  /**
   * It takes messages of other systems too, and limits what they can do. Without it they go to the
   * dead letters.
   */
  foreign?: boolean;
  options?: ConsumeOptions;
}

/** Calls a function after each notification of a database channel, also from other processes. */
export interface Subscription {
  channel: string;
  onNotification: (payload: string) => void;
  /** Called when notifications may have been lost. */
  onGap?: () => void;
}
