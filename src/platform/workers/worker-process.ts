import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdir, rm, readFile } from "node:fs/promises";
import { join } from "node:path";
import { cancelled } from "../fair-queue.ts";
import { ApiError } from "../http/errors.ts";
import { EMPTY_ENVIRONMENT, isolatedNode } from "../isolation/isolated-node.ts";
import type { Isolation } from "../isolation/isolation.ts";
import { lowerPriority } from "../isolation/lower-priority.ts";
import { innermostProcess } from "../isolation/process-chain.ts";
import type { Logger } from "../telemetry/log.ts";
import { askProcess, whenReady } from "./ask-process.ts";
import { type MemoryLimit, watchdogLimit } from "./memory-limit.ts";
import type { TaskError } from "./messages.ts";
import type { Task } from "./task.ts";
import { tooComplex, type WorkerErrors } from "./worker-errors.ts";

export interface WorkerOptions {
  isolation: Isolation;
  memory: MemoryLimit;
  memoryBytes: number;
  /** The part of the memory that JavaScript's heap may take. Beyond it V8 ends the process. */
  heapBytes: number;
  errors: WorkerErrors;
  /** Whether tasks may load compiled packages. */
  addons?: boolean | undefined;
  /** Where the worker gets a folder that it shares with this process. Default: none. */
  folders?: string | undefined;
  log?: Logger | undefined;
}

/** One process that runs one task after another. */
export interface Worker {
  /** The process id on this system, which may differ from the one in its namespace. */
  readonly pid: number;
  readonly tasksDone: number;
  readonly ended: boolean;
  readonly exited: Promise<void>;
  /** The folder that it shares with this process, or empty. */
  readonly folder: string;
  run(task: Task, input: unknown, asked?: TaskOptions): Promise<unknown>;
  /** A running task fails with the reason. */
  end(reason?: ApiError): Promise<void>;
}

export interface TaskOptions {
  /** The file whose bytes the task gets. */
  path?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A busy machine gives a task little of its processor: its time limit is of processor time. */
const WALL_CLOCK_FACTOR = process.platform === "linux" ? 4 : 1;
const MAX_STDERR_CHARACTERS = 2_000;

/**
 * A worker reads the code and the bytes it is sent, and has no network where the system permits.
 * @throws what `errors.unavailable` returns.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { memoryBytes, errors, log } = options;
  const folder = await makeFolder(options);
  const child = spawnWorker(options, folder);
  let ended = false;
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-MAX_STDERR_CHARACTERS);
  });
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      resolve();
    };
    child.once("exit", end).once("error", end);
  });
  /** Why the process was killed; of a process between two tasks nobody asks. */
  let reason: Reason | undefined;
  const kill = (why: Reason) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  const ready = whenReady(child);
  ready.catch(() => {}); // awaited below
  const overMemory = (task: Task) => tooComplex(task, megabytes(memoryBytes));
  const memory = await holdMemory(options, child.pid, () => kill(overMemory));
  void exited.then(() => memory?.release());
  if (folder)
    // it has a name of its own, which no other worker gets
    void exited.then(() => rm(folder, { recursive: true, force: true })).catch(() => {});
  try {
    await ready;
  } catch (error) {
    throw errors.unavailable(new Error(`${String(error)}: ${stderr}`));
  }
  void exited.then(() => {
    if (stderr && !reason) log?.debug({ pid: child.pid, stderr }, "a worker process ended");
  });
  const pid = await innermostProcess(child.pid ?? 0); // what is ready has one
  void lowerPriority(pid); // once more: it may have a session of its own by now
  let tasksDone = 0;

  function whyEnded(task: Task, { code, signal }: Ending): ApiError {
    if (reason) return reason(task);
    if (lackedMemory({ code, signal }, stderr)) return overMemory(task);
    return errors.crashed(task, new Error(`code ${code}, signal ${signal}: ${stderr}`));
  }

  return {
    pid,
    get tasksDone() {
      return tasksDone;
    },
    get ended() {
      // one that was killed ends in a moment
      return ended || reason !== undefined;
    },
    exited,
    folder,
    async run(task, input, { path, signal } = {}) {
      if (signal?.aborted) throw cancelled();
      tasksDone += 1;
      const { file, exported = "default" } = task;
      const asked = { id: tasksDone, file: file.href, exported, input, path, folder };
      using _ = killOverTime(pid, task, kill);
      using __ = killWhenCancelled(signal, kill);
      const answer = await askProcess(child, asked, (code, by) =>
        whyEnded(task, { code, signal: by }),
      );
      if (answer.ok) return answer.output;
      throw toError(answer.error, task);
    },
    async end(why) {
      if (why) kill(() => why);
      else child.kill("SIGKILL");
      await exited;
    },
  };
}

type Reason = (task: Task) => ApiError;

/** Its name cannot be guessed, and what made it may be another user than the worker. */
async function makeFolder({ folders }: WorkerOptions): Promise<string> {
  if (folders === undefined) return "";
  const folder = join(folders, randomUUID());
  await mkdir(folder);
  await chmod(folder, 0o777);
  return folder;
}

function spawnWorker(
  { isolation, heapBytes, addons }: WorkerOptions,
  folder: string,
): ChildProcess {
  const { file, args } = isolatedNode(isolation, {
    entry: new URL("./serve-tasks.ts", import.meta.url),
    heapMb: Math.floor(heapBytes / 2 ** 20),
    addons,
    shared: folder || undefined,
  });
  const child = spawn(file, args, {
    env: EMPTY_ENVIRONMENT,
    serialization: "advanced",
    stdio: ["pipe", "ignore", "pipe", "ipc"],
  });
  // the process may end before it has read everything; its exit explains why
  child.stdin?.on("error", () => {});
  if (child.pid !== undefined) void lowerPriority(child.pid);
  return child;
}

/** A process never runs without a memory limit: if the system refuses one, it is watched. */
async function holdMemory(
  { memory, memoryBytes, log }: WorkerOptions,
  pid: number | undefined,
  onOver: () => void,
) {
  if (pid === undefined) return undefined;
  return memory.hold(pid, onOver).catch((error: unknown) => {
    log?.warn({ err: error, pid }, "the memory of a worker is watched, not limited");
    return watchdogLimit(memoryBytes).hold(pid, onOver);
  });
}

/** Dispose after the task. */
function killOverTime(pid: number, task: Task, kill: (why: Reason) => void): Disposable {
  const seconds = `${Math.ceil(task.timeoutMs / 1000)} seconds`;
  const onOver = () => kill((ended) => tooComplex(ended, seconds));
  const late = setTimeout(onOver, task.timeoutMs * WALL_CLOCK_FACTOR);
  const usage = watchProcessorTime(pid, task.timeoutMs, onOver);
  return {
    [Symbol.dispose]() {
      clearTimeout(late);
      usage[Symbol.dispose]();
    },
  };
}

/** Dispose after the task. */
function killWhenCancelled(
  signal: AbortSignal | undefined,
  kill: (why: Reason) => void,
): Disposable {
  const cancel = () => kill(cancelled);
  signal?.addEventListener("abort", cancel, { once: true });
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", cancel) };
}

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The exit code of a wrapper whose process was killed: 128 and SIGKILL. */
const KILLED = 137;

/** A kill that the pool did not send is the kernel's, for lack of memory. V8 names its own. */
function lackedMemory({ code, signal }: Ending, stderr: string): boolean {
  if (signal === "SIGKILL" || code === KILLED) return true;
  return /out of memory|allocation failed/i.test(stderr);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB of memory`;
}

function toError(error: TaskError, task: Task): Error {
  const { name, message, cause, status, code } = error;
  if (status !== undefined && code !== undefined)
    return new ApiError(status, code, message, {
      details: error.details,
      params: error.params,
      headers: error.headers ?? {},
      ...(cause !== undefined && { cause: new Error(cause) }),
    });
  // the input overflows the stack, or needs a string or an array that is too long
  if (name === "RangeError")
    return tooComplex(task, "the memory that one task may use", new Error(message));
  return new Error(`the task ${task.file.pathname} failed: ${message}`);
}

const CHECK_MS = 100;
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Calls `onOver` once a process has used more processor time than `maxMs` from now on. Works on
 * Linux; elsewhere it never calls.
 */
function watchProcessorTime(pid: number, maxMs: number, onOver: () => void): Disposable {
  // what the process has done before is not the task's
  let before: number | undefined;
  const timer = setInterval(async () => {
    const used = await processorMs(pid).catch(() => undefined); // it has ended
    if (used === undefined) return;
    before ??= used;
    if (used - before > maxMs) onOver();
  }, CHECK_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Reads proc_pid_stat(5), fields 14 (utime) and 15 (stime). */
async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // the name before the third field may hold spaces
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return (field(14) + field(15)) * TICK_MS;
}
