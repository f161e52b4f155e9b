import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { ApiError } from "../http/errors.ts";
import { EMPTY_ENVIRONMENT, isolatedNode } from "../isolation/isolated-node.ts";
import type { Isolation } from "../isolation/isolation.ts";
import { innermostProcess } from "../isolation/process-chain.ts";
import { cancelled } from "../fair-queue.ts";
import type { TaskAnswer, TaskMessage } from "./serve-tasks.ts";
import type { Task } from "./task.ts";

/** One process that runs one task after another. */
export interface Worker {
  readonly tasksDone: number;
  readonly ended: boolean;
  readonly exited: Promise<void>;
  run(task: Task, input: unknown, signal: AbortSignal | undefined): Promise<unknown>;
  end(): void;
}

const USAGE_CHECK_MS = 100;
/** A busy machine gives a task little of its processor: its time limit is of processor time. */
const WALL_CLOCK_FACTOR = process.platform === "linux" ? 4 : 1;
/** Buffers are outside of the heap: the process may use this many times its heap. */
const MEMORY_FACTOR = 1.5;
const MAX_STDERR_CHARACTERS = 2_000;

/** A worker reads the code and nothing else, and has no network where the system permits. */
export function startWorker(maxHeapBytes: number, isolation: Isolation): Worker {
  const { file, args } = isolatedNode(isolation, {
    entry: new URL("./serve-tasks.ts", import.meta.url),
    heapMb: Math.floor(maxHeapBytes / 2 ** 20),
  });
  const child = spawn(file, args, {
    env: EMPTY_ENVIRONMENT,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  if (child.pid !== undefined) lowerPriority(child.pid);

  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-MAX_STDERR_CHARACTERS);
  });
  let tasksDone = 0;
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      resolve();
    };
    child.once("exit", end);
    child.once("error", end);
  });

  async function run(task: Task, input: unknown, signal: AbortSignal | undefined) {
    if (signal?.aborted) throw cancelled();
    tasksDone += 1;
    const message = { id: tasksDone, file: task.file.href, input };
    const limits = {
      maxBytes: maxHeapBytes * MEMORY_FACTOR,
      maxProcessorMs: task.timeoutMs,
    };
    using guard = killOverLimits(child, task, limits, signal);
    return await ask(child, message, task, () => guard.reason() ?? whyEnded(task, stderr));
  }

  return {
    get tasksDone() {
      return tasksDone;
    },
    get ended() {
      return ended;
    },
    exited,
    run,
    end() {
      child.kill("SIGKILL");
    },
  };
}

interface Guard extends Disposable {
  /** Why the process was killed, if it was. */
  reason(): ApiError | undefined;
}

/** Kills the process when a task exceeds its limits or is cancelled. Dispose after the task. */
function killOverLimits(
  child: ChildProcess,
  task: Task,
  limits: UsageLimits,
  signal: AbortSignal | undefined,
): Guard {
  let reason: ApiError | undefined;
  const kill = (why: ApiError) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  const killTooComplex = () => kill(tooComplex(task));
  const late = setTimeout(killTooComplex, task.timeoutMs * WALL_CLOCK_FACTOR);
  const usage = watchUsage(child, limits, killTooComplex);
  const cancel = () => kill(cancelled());
  signal?.addEventListener("abort", cancel, { once: true });
  return {
    reason: () => reason,
    [Symbol.dispose]() {
      clearTimeout(late);
      clearInterval(usage);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

/** @throws what `whyEnded` returns when the process ends before it answers. */
function ask(child: ChildProcess, message: TaskMessage, task: Task, whyEnded: () => Error) {
  return new Promise<unknown>((resolve, reject) => {
    const stop = () => {
      child.off("message", onMessage);
      child.off("exit", onExit);
    };
    const onMessage = (answer: TaskAnswer) => {
      if (answer.id !== message.id) return;
      stop();
      if (answer.ok) resolve(answer.output);
      else reject(toError(answer.error, task));
    };
    const onExit = () => {
      stop();
      reject(whyEnded());
    };
    child.on("message", onMessage);
    child.once("exit", onExit);
    if (!child.connected) onExit();
    else child.send(message, (error) => error && onExit());
  });
}

function toError(error: Extract<TaskAnswer, { ok: false }>["error"], task: Task): Error {
  if (error.status !== undefined && error.code !== undefined)
    return new ApiError(error.status, error.code, error.message, {
      details: error.details,
      headers: error.headers ?? {},
    });
  // the input overflows the stack, or needs a string or an array that is too long
  if (error.name === "RangeError") return tooComplex(task, error.message);
  return new Error(`the task ${task.file.pathname} failed: ${error.message}`);
}

/** V8 ends the process when its heap is full, the kernel when its own memory is. */
function whyEnded(task: Task, stderr: string): ApiError {
  return tooComplex(task, stderr || "the worker was killed");
}

function tooComplex(task: Task, cause?: string): ApiError {
  return new ApiError(
    422,
    "too_complex",
    `This takes more than the ${Math.ceil(task.timeoutMs / 1000)} seconds or the memory that ` +
      `one task may use. ${task.advice}`,
    cause === undefined ? {} : { cause: new Error(cause) },
  );
}

interface UsageLimits {
  maxBytes: number;
  maxProcessorMs: number;
}

/** Works on Linux; elsewhere the limits of the heap and of the wall clock apply alone. */
function watchUsage(
  child: ChildProcess,
  limits: UsageLimits,
  onOver: () => void,
): NodeJS.Timeout {
  // the start of the process is not the task's
  let before: Usage | undefined;
  const timer = setInterval(async () => {
    const usage = await readUsage(await innermostProcess(child.pid ?? 0)).catch(
      () => undefined,
    );
    if (!usage) return;
    if (before?.pid !== usage.pid) before = usage;
    const usedMs = usage.processorMs - before.processorMs;
    if (usage.bytes > limits.maxBytes || usedMs > limits.maxProcessorMs) onOver();
  }, USAGE_CHECK_MS);
  return timer.unref();
}

interface Usage {
  pid: number;
  bytes: number;
  processorMs: number;
}

const PAGE_BYTES = 4096;
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Reads what a process uses: proc_pid_stat(5), fields 14 (utime), 15 (stime) and 24 (rss). */
async function readUsage(pid: number): Promise<Usage> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // the name before the third field may hold spaces
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  const processorMs = (field(14) + field(15)) * TICK_MS;
  return { pid, bytes: field(24) * PAGE_BYTES, processorMs };
}

/** Answering requests comes before these tasks. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // not permitted everywhere; the tasks run all the same
  }
}
