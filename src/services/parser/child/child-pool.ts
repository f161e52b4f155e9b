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
  maxWaiting?: number;
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
  maxWaiting = 200,
  idleMs = 60_000,
  ...options
}: PoolOptions): ChildPool {
  const children = keepChildren(options);
  const turns = createTurns({ size, maxWaiting });
  const runs = new Set<Promise<unknown>>();
  let closed = false;

  const rest = setInterval(() => {
    if (turns.state().busy === 0) children.endIdle();
  }, idleMs).unref();

  async function runInTurn(task: string, input: unknown, asked: Asked): Promise<unknown> {
    await turns.take(asked.signal);
    try {
      const child = await children.take();
      try {
        return await child.run(task, input, asked);
      } finally {
        await children.giveBack(child);
      }
    } finally {
      turns.giveBack();
    }
  }

  return {
    async run(task, input, asked) {
      if (closed) throw shuttingDown();
      const running = runInTurn(task, input, asked);
      runs.add(running);
      try {
        return await running;
      } finally {
        runs.delete(running);
      }
    },
    state: () => ({ children: children.size(), ...turns.state() }),
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(rest);
      turns.refuseWaiting(shuttingDown());
      await children.close();
      await Promise.allSettled(runs);
    },
  };
}

/** The processes of a pool. Those without a task are kept for the next one. */
function keepChildren(options: ChildOptions) {
  const idle: TaskChild[] = [];
  const all = new Set<TaskChild>();
  let closed = false;

  const forget = async (child: TaskChild) => {
    all.delete(child);
    await child.end();
  };

  return {
    size: () => all.size,
    async take(): Promise<TaskChild> {
      for (let child = idle.pop(); child; child = idle.pop()) {
        if (!child.ended) return child;
        all.delete(child);
      }
      const child = await startChild(options);
      all.add(child);
      if (closed) {
        await forget(child);
        throw shuttingDown();
      }
      return child;
    },
    async giveBack(child: TaskChild): Promise<void> {
      const worn = child.ended || closed || child.tasksDone >= MAX_TASKS;
      if (worn || (await residentBytes(child.pid)) > options.memoryBytes * WORN_SHARE)
        await forget(child);
      else idle.push(child);
    },
    endIdle(): void {
      for (const child of idle.splice(0)) void forget(child);
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...all].map(forget));
    },
  };
}
