// the input's type comes from the task
// oxlint-disable-next-line typescript/no-explicit-any
export type TaskFunction = (input: any) => unknown;

/** Work for a worker process; see `workers.ts`. */
export interface Task<Run extends TaskFunction = TaskFunction> {
  /** The module whose default export is the task. */
  file: URL;
  /**
   * The worker is killed when the task takes more processor time, or four times as long by the wall
   * clock; where processor time is unknown (not Linux), when it runs longer. Waiting in the queue
   * does not count.
   */
  timeoutMs: number;
  /** What the user can do when the task is over budget: one sentence. */
  advice: string;
  /** Carries the type; never set. */
  run?: Run;
}
