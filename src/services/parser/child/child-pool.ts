import { shuttingDown } from "../../../platform/http/errors.ts";
import { type Asked, startChild, type TaskChild } from "./child-process.ts";
import { residentBytes } from "./limit-memory.ts";
import type { ChildOptions } from "./spawn-child.ts";
import { createTurns } from "./turns.ts";

export interface ChildPool extends AsyncDisposable {
  /**
   * Runs a task in a process with limits of its own. The process is ended when it is too slow or
   * too large, or when no caller waits any more.
   * @throws ApiError `too_complex`, `parser_crashed`, `file_unreadable`, what the task throws;
   * Unavailable `parser_busy`, `parser_unavailable`.
   */
  run(task: string, input: unknown, asked: Asked): Promise<unknown>;
  state(): { children: number; busy: number; waiting: number };
}

export interface PoolOptions extends ChildOptions {
  /** Concurrent tasks. */
  size: number;
  /** Tasks that may wait. */
  mostWaiting?: number;
  /** After this time without a task the processes end, which frees their memory. */
  idleMs?: number;
}

/** A process is replaced after this many tasks, so that memory leaks stay small. */
const MAX_TASKS = 200;
/**
 * It is also replaced when it holds more than this share of its memory limit, so that the next file
 * has enough.
 */
const WORN_SHARE = 0.5;

/** A few warm processes, started on demand. */
export function createChildPool({
  size,
  mostWaiting = 200,
  idleMs = 60_000,
  ...options
}: PoolOptions): ChildPool {
  const idle: TaskChild[] = [];
  const all = new Set<TaskChild>();
  const turns = createTurns({ size, maxWaiting: mostWaiting });
  let closed = false;

  const forget = async (child: TaskChild) => {
    all.delete(child);
    await child.end();
  };
  const rest = setInterval(() => {
    if (turns.state().busy === 0) for (const child of idle.splice(0)) void forget(child);
  }, idleMs).unref();

  async function take(): Promise<TaskChild> {
    for (let child = idle.pop(); child; child = idle.pop()) {
      if (!child.ended) return child;
      all.delete(child);
    }
    const child = await startChild(options);
    all.add(child);
    return child;
  }

  async function giveBack(child: TaskChild): Promise<void> {
    const worn = child.ended || closed || child.tasksDone >= MAX_TASKS;
    if (worn || (await residentBytes(child.pid)) > options.memoryBytes * WORN_SHARE)
      await forget(child);
    else idle.push(child);
  }

  return {
    async run(task, input, asked) {
      if (closed) throw shuttingDown();
      await turns.take(asked.signal);
      try {
        const child = await take();
        try {
          return await child.run(task, input, asked);
        } finally {
          await giveBack(child);
        }
      } finally {
        turns.giveBack();
      }
    },
    state: () => ({ children: all.size, ...turns.state() }),
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(rest);
      await Promise.all([...all].map(forget));
    },
  };
}
