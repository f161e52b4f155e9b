import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { MemoryLimit } from "../../../platform/workers/memory-limit.ts";
import type { TaskFunction } from "../../../platform/workers/task.ts";
import type { WorkerErrors } from "../../../platform/workers/worker-errors.ts";
import {
  createWorkers,
  type RunOptions,
  type Workers,
} from "../../../platform/workers/workers.ts";
import type { FileTask } from "./file-tasks.ts";

/** Whose turn a file is read in. Default: that of the user of the current request. */
export type TurnOwner = Pick<RunOptions, "userId" | "isBackground">;

export interface PooledFile {
  path: string;
  size: number;
  turn?: TurnOwner | undefined;
}

/**
 * The workers that read files. They are apart from those that all services share: their number,
 * memory and isolation are settings, and an export does not wait for long files.
 */
export interface FilePool extends AsyncDisposable {
  /**
   * @throws ApiError `too_complex`, `parser_crashed`, what the task throws; Unavailable
   * `parser_busy`, `parser_unavailable`.
   */
  run<Run extends TaskFunction>(
    task: FileTask<Run>,
    input: Parameters<Run>[0],
    file: PooledFile,
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Run>>>;
  state(): ReturnType<Workers["state"]>;
}

export interface FilePoolOptions {
  /** Files that are read at once. */
  size: number;
  isolation: Isolation;
  memory: MemoryLimit;
  memoryBytes: number;
  /** How long a file may wait. */
  maxWaitMs: number;
  /** Returns the time limit for a file of this size, in ms. */
  timeLimit(bytes: number): number;
  log: Logger;
}

const MAX_WAITING = 200;
const HEAP_SHARE = 0.75;
const MIN_HEAP = 64 * 2 ** 20;
const IDLE_MS = 60_000;

export function openFilePool(options: FilePoolOptions): FilePool {
  const { size, isolation, memory, memoryBytes, maxWaitMs, timeLimit, log } = options;
  const workers = createWorkers({
    size,
    maxWaiting: MAX_WAITING,
    // what limits one user's files is the rate of requests, and documents in work
    maxPerUser: Infinity,
    maxWaitMs,
    memoryBytes,
    heapBytes: Math.max(MIN_HEAP, memoryBytes * HEAP_SHARE),
    idleMs: IDLE_MS,
    isolation,
    memory,
    errors: ERRORS,
    log,
  });
  return {
    run(task, input, { path, size: bytes, turn }, signal) {
      const timed = { ...task, timeoutMs: timeLimit(bytes) };
      return workers.run(timed, input, { ...turn, path, signal });
    },
    state: workers.state,
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  };
}

/** Too many wait. */
export const busy = () =>
  new Unavailable(
    "parser_busy",
    "Too many files wait to be read. Try again in a moment.",
    10_000,
  );

const ERRORS: WorkerErrors = {
  busy,
  tooMany: busy,
  unavailable: (cause) =>
    new Unavailable(
      "parser_unavailable",
      "No process can be started to read files. Try again in a moment.",
      5_000,
      { cause },
    ),
  crashed: (_, cause) =>
    new ApiError(
      422,
      "parser_crashed",
      "Reading this file crashed the process that read it. The file is probably damaged, " +
        "perhaps on purpose. Save it again, or send another copy.",
      { cause },
    ),
};
