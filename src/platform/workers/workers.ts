import { channel } from "node:diagnostics_channel";
import { readdir, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createFairQueue } from "../fair-queue.ts";
import { currentContext } from "../http/context.ts";
import { shuttingDown } from "../http/errors.ts";
import { chooseIsolation } from "../isolation/choose-isolation.ts";
import type { Isolation } from "../isolation/isolation.ts";
import type { Logger } from "../telemetry/log.ts";
import { limitMemory } from "./limit-memory.ts";
import { type MemoryLimit, residentBytes } from "./memory-limit.ts";
import type { Task, TaskFunction } from "./task.ts";
import { SHARED_ERRORS, type WorkerErrors } from "./worker-errors.ts";
import { startWorker, type Worker } from "./worker-process.ts";

/**
 * Runs work on user-controlled input whose time or memory may grow faster than the input: reading
 * files, cutting texts, Markdown, diffs, exports, schema compilation.
 *
 * A task is a module of its own whose default export does the work:
 *
 *     // render-page.ts
 *     export default function renderPage(input: { markdown: string }): { html: string } { … }
 *
 *     // the caller imports only its type; the module loads in the worker
 *     import type renderPage from "./render-page.ts";
 *     const RENDER_PAGE: Task<typeof renderPage> = {
 *       file: new URL("./render-page.ts", import.meta.url),
 *       timeoutMs: 10_000,
 *       advice: "Split the page into smaller ones.",
 *     };
 *     const { html } = await context.workers.run(RENDER_PAGE, { markdown }, { userId, signal });
 *
 * Input and output are structured clones (strings, arrays, plain objects, `Uint8Array`). Bound the
 * output in the task: the main thread deserializes it. The bytes of a file on this machine's disk
 * are the task's second argument and pass through a pipe. A worker process may read the code only
 * (of a pool with `folders`, also read and write its own folder), has no environment, and no
 * network where the operating system can isolate it. A worker is reused, so a task must not keep
 * state. Workers are processes rather than threads because V8 ends the whole process when a
 * thread's large allocation fails.
 */
export interface Workers extends AsyncDisposable {
  /**
   * @throws ApiError 422 `too_complex` over budget, with the task's advice; 429 `too_many_tasks`
   *   when the user has too many at once; 503 `workers_busy` when the queue is full; 503
   *   `workers_unavailable` when no process starts; 499 `request_cancelled`; every ApiError that
   *   the task throws. Some pools have other `errors`.
   */
  run<Run extends TaskFunction>(
    task: Task<Run>,
    input: Parameters<Run>[0],
    options?: RunOptions,
  ): Promise<Awaited<ReturnType<Run>>>;
  state(): { workers: number; running: number; waiting: number };
}

export interface RunOptions {
  /** Tasks of different users take turns. Default: the user of the current request. */
  userId?: string | undefined;
  /** Ends the task when nobody waits for it. */
  signal?: AbortSignal | undefined;
  /** Work that something else bounds, such as the prefetch of a queue, waits for its turn. */
  isBackground?: boolean | undefined;
  /** The path of the file whose bytes the task gets. */
  path?: string | undefined;
  /** What is put into the worker's folder before the task, and taken from it after it. */
  folder?: FolderUse | undefined;
}

/** Of a pool with `folders`. The folder is empty before, and emptied after it. */
export interface FolderUse {
  fill(folder: string): Promise<void>;
  /** What lies there, a hostile task may have put there. */
  take?(folder: string, output: unknown): Promise<void>;
}

export interface WorkersOptions {
  /** Tasks that run at once. */
  size?: number;
  maxWaiting?: number;
  /** Tasks of one user, running and waiting. */
  maxPerUser?: number;
  /** Of one worker: its heap, buffers and WebAssembly. */
  memoryBytes?: number;
  /** The part of it that JavaScript's heap may take. */
  heapBytes?: number;
  maxWaitMs?: number;
  /** Idle workers end after this time. */
  idleMs?: number;
  /** Default: the strongest that works here. */
  isolation?: Isolation;
  /** Default: the strictest that works here. */
  memory?: MemoryLimit;
  errors?: WorkerErrors;
  /** Whether tasks may load compiled packages: the isolation alone limits what those do. */
  addons?: boolean;
  /** A folder in which each worker gets one of its own, which it may read and write. */
  folders?: string;
  log?: Logger;
}

/** Announces the tasks of all pools of this process to whoever observes them. */
export const TASKS = channel("parlance:tasks");

export interface TaskEvent {
  /** A task that was asked for is refused, or starts and ends. */
  state: "asked" | "refused" | "started" | "ended";
  userId: string | undefined;
}

/** A worker is replaced after this many tasks, so that leaks stay small. */
const MAX_TASKS = 200;
/** It is also replaced when it holds more of its memory, so that the next task has enough. */
const WORN_SHARE = 0.5;

/** Starts no process until the first task runs. */
export function createWorkers({
  size = Math.min(4, Math.max(2, availableParallelism() - 1)),
  maxWaiting = 500,
  maxPerUser = 32,
  maxWaitMs = 60_000,
  errors = SHARED_ERRORS,
  ...options
}: WorkersOptions = {}): Workers {
  const { busy, tooMany } = errors;
  const limits = { size, maxWaiting, maxPerUser, maxWaitMs, busy, tooMany };
  const queue = createFairQueue(limits);
  const pool = createPool({ ...options, errors });
  const runs = new Set<Promise<unknown>>();

  async function runInTurn(task: Task, input: unknown, options: RunOptions) {
    const { userId = currentContext()?.userId, path, folder, ...turn } = options;
    const announce = (state: TaskEvent["state"]) =>
      TASKS.hasSubscribers && TASKS.publish({ state, userId } satisfies TaskEvent);
    announce("asked");
    const release = await queue.enter(userId, turn).catch((error: unknown) => {
      announce("refused");
      throw error;
    });
    announce("started");
    try {
      const worker = await pool.take();
      try {
        await folder?.fill(worker.folder);
        const output = await worker.run(task, input, { path, signal: turn.signal });
        await folder?.take?.(worker.folder, output);
        return output;
      } finally {
        if (worker.folder) await emptyFolder(worker);
        await pool.giveBack(worker);
      }
    } finally {
      release();
      announce("ended");
    }
  }

  return {
    async run(task, input, options = {}) {
      const running = runInTurn(task, input, options);
      runs.add(running);
      try {
        // the task's module has the type that the caller names
        return (await running) as never;
      } finally {
        runs.delete(running);
      }
    },
    state: () => ({ workers: pool.size(), ...queue.state() }),
    async [Symbol.asyncDispose]() {
      queue.close();
      await pool.close();
      await Promise.allSettled(runs);
    },
  };
}

/**
 * The next task, of another user, finds nothing of this one: a worker whose folder cannot be
 * emptied gets no next task.
 */
async function emptyFolder(worker: Worker): Promise<void> {
  if (worker.ended) return;
  try {
    for (const name of await readdir(worker.folder))
      await rm(join(worker.folder, name), { recursive: true, force: true });
  } catch {
    await worker.end();
  }
}

type PoolOptions = Omit<WorkersOptions, "errors"> & { errors: WorkerErrors };

/** Worker processes, kept for the next task until they are idle for `idleMs`. */
function createPool({
  memoryBytes = 768 * 2 ** 20,
  heapBytes = memoryBytes / 2,
  idleMs = 30_000,
  isolation,
  memory,
  errors,
  addons,
  folders,
  log,
}: PoolOptions) {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let limits: Promise<[Isolation, MemoryLimit]> | undefined;
  let closed = false;
  let rest: NodeJS.Timeout | undefined;

  /** What this machine permits is tried out once, when the first process is needed. */
  const findLimits = () =>
    Promise.all([
      isolation ?? chooseIsolation("auto", tmpdir()),
      memory ?? limitMemory(memoryBytes),
    ]);

  async function start(): Promise<Worker> {
    limits ??= findLimits();
    const [isolation, memory] = await limits;
    if (closed) throw shuttingDown();
    const bounds = { isolation, memory, memoryBytes, heapBytes };
    const options = { ...bounds, errors, addons, folders, log };
    const worker = await startWorker(options);
    all.add(worker);
    void worker.exited.then(() => all.delete(worker));
    if (!closed) return worker;
    await worker.end();
    throw shuttingDown();
  }

  async function isWorn(worker: Worker): Promise<boolean> {
    if (closed || worker.tasksDone >= MAX_TASKS) return true;
    return (await residentBytes(worker.pid)) > memoryBytes * WORN_SHARE;
  }

  const endIdle = () => {
    for (const worker of idle.splice(0)) void worker.end();
  };

  return {
    size: () => all.size,
    async take(): Promise<Worker> {
      clearTimeout(rest);
      for (let worker = idle.pop(); worker; worker = idle.pop())
        if (!worker.ended) return worker;
      return await start();
    },
    async giveBack(worker: Worker): Promise<void> {
      if (worker.ended || (await isWorn(worker))) await worker.end();
      else idle.push(worker);
      clearTimeout(rest);
      rest = setTimeout(endIdle, idleMs).unref();
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(rest);
      await Promise.all([...all].map((worker) => worker.end(shuttingDown())));
    },
  };
}
