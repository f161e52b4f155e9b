import { availableParallelism, tmpdir } from "node:os";
import { shuttingDown, TooManyRequests, Unavailable } from "../http/errors.ts";
import { chooseIsolation } from "../isolation/choose-isolation.ts";
import type { Isolation } from "../isolation/isolation.ts";
import { createFairQueue } from "../fair-queue.ts";
import type { Task, TaskFunction } from "./task.ts";
import { startWorker, type Worker } from "./worker-process.ts";

/**
 * Runs work on user-controlled input whose time or memory may grow faster than the input:
 * Markdown, diffs, exports, schema compilation.
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
 * output in the task: the main thread deserializes it. A worker process may read the code only, has
 * no environment, and no network where the operating system can isolate it. A worker is reused, so
 * a task must not keep state. Workers are processes rather than threads because V8 ends the whole
 * process when a thread's large allocation fails.
 */
export interface Workers extends AsyncDisposable {
  /**
   * @throws ApiError 422 `too_complex` over budget, with the task's advice; 429 `too_many_tasks`
   *   when the user has too many at once; 503 `workers_busy` when the queue is full; 499
   *   `request_cancelled`; every ApiError that the task throws.
   */
  run<Run extends TaskFunction>(
    task: Task<Run>,
    input: Parameters<Run>[0],
    options?: RunOptions,
  ): Promise<Awaited<ReturnType<Run>>>;
  state(): { workers: number; running: number; waiting: number };
}

export interface RunOptions {
  /** Tasks of different users take turns. */
  userId?: string | undefined;
  /** Ends the task when nobody waits for it. */
  signal?: AbortSignal | undefined;
}

export interface WorkersOptions {
  /** Tasks that run at once. */
  size?: number;
  maxWaiting?: number;
  /** Tasks of one user, running and waiting. */
  maxPerUser?: number;
  /** Of the JavaScript heap of one worker. */
  maxHeapBytes?: number;
  maxWaitMs?: number;
  /** Idle workers end after this time. */
  idleMs?: number;
}

/** A worker is replaced after this many tasks, so that leaks stay small. */
const MAX_TASKS = 200;
const RETRY_MS = 5_000;

/** Starts no process until the first task runs. */
export function createWorkers({
  size = Math.min(4, Math.max(2, availableParallelism() - 1)),
  maxWaiting = 200,
  maxPerUser = 8,
  maxHeapBytes = 384 * 2 ** 20,
  maxWaitMs = 60_000,
  idleMs = 30_000,
}: WorkersOptions = {}): Workers {
  const queue = createFairQueue({
    size,
    maxWaiting,
    maxPerUser,
    maxWaitMs,
    busy,
    tooMany,
  });
  const pool = createPool(maxHeapBytes, idleMs);
  return {
    async run(task, input, { userId, signal } = {}) {
      const release = await queue.enter(userId, signal);
      try {
        const worker = await pool.take();
        try {
          // the task's module has the type that the caller names
          return (await worker.run(task, input, signal)) as never;
        } finally {
          pool.giveBack(worker);
        }
      } finally {
        release();
      }
    },
    state: () => ({ workers: pool.size(), ...queue.state() }),
    async [Symbol.asyncDispose]() {
      queue.close();
      await pool.close();
    },
  };
}

function busy(): Unavailable {
  return new Unavailable(
    "workers_busy",
    "Too many exports and comparisons wait for their turn. Try again in a moment.",
    RETRY_MS,
  );
}

function tooMany(count: number): TooManyRequests {
  return new TooManyRequests(
    "too_many_tasks",
    `You have ${count} exports or comparisons at once. Wait until one has ended.`,
    RETRY_MS,
    { params: { max: count } },
  );
}

/** Worker processes, kept for the next task until they are idle for `idleMs`. */
function createPool(maxHeapBytes: number, idleMs: number) {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let isolation: Promise<Isolation> | undefined;
  let closed = false;
  let rest: NodeJS.Timeout | undefined;
  return {
    size: () => all.size,
    async take(): Promise<Worker> {
      clearTimeout(rest);
      for (let worker = idle.pop(); worker; worker = idle.pop())
        if (!worker.ended) return worker;
      isolation ??= chooseIsolation("auto", tmpdir());
      const isolated = await isolation;
      if (closed) throw shuttingDown();
      const worker = startWorker(maxHeapBytes, isolated);
      all.add(worker);
      void worker.exited.then(() => all.delete(worker));
      return worker;
    },
    giveBack(worker: Worker): void {
      if (closed || worker.tasksDone >= MAX_TASKS) worker.end();
      else if (!worker.ended) idle.push(worker);
      clearTimeout(rest);
      rest = setTimeout(() => idle.splice(0).forEach((one) => one.end()), idleMs).unref();
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(rest);
      const ended = [...all].map((worker) => {
        worker.end();
        return worker.exited;
      });
      await Promise.all(ended);
    },
  };
}
