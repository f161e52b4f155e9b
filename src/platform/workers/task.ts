/**
 * Does the work in a worker process. `bytes` are those of the file in `RunOptions.path`, or none;
 * `folder` is that of `RunOptions.folder`, or empty.
 */
// the input's type comes from the task
// oxlint-disable-next-line typescript/no-explicit-any
export type TaskFunction = (input: any, bytes: Buffer, folder: string) => unknown;

/** Work for a worker process; see `workers.ts`. */
export interface Task<Run extends TaskFunction = TaskFunction> {
  /** The module that exports the task. */
  file: URL;
  /** The name of the exported function; without it the default export is the task. */
  exported?: string;
  /**
   * The worker is killed when the task takes more processor time, or four times as long by the wall
   * clock; where processor time is unknown (not Linux), when it runs longer. Waiting in the queue
   * does not count.
   */
  timeoutMs: number;
  /** What the user can do when the task is over budget: one sentence. */
  advice: string;
  /** The beginning of the sentence that says which budget was exceeded. Default: "This". */
  what?: string;
  /** Carries the type; never set. */
  run?: Run;
}
