import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { ApiError } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { type MemoryLimit, watchdogLimit } from "./limit-memory.ts";
import type { TaskAnswer } from "./tasks.ts";

export interface ChildOptions {
  /** The module that serves the tasks. */
  entry: URL;
  /** Folders that the child may read; it may write nowhere and start nothing. */
  readable: readonly string[];
  memory: MemoryLimit;
  memoryBytes: number;
  log: Logger;
}

/** One process for one task after another. Whatever ends it, the task in work is told why. */
export interface TaskChild {
  pid: number;
  tasksDone: number;
  ended: boolean;
  run(
    task: string,
    input: unknown,
    options: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<unknown>;
  end(): Promise<void>;
}

/** Its heap is a part of the memory that it may hold: beyond it V8 ends the process by itself. */
const HEAP_SHARE = 0.75;
const MAX_ERROR_CHARACTERS = 2_000;

export async function startChild({
  entry,
  readable,
  memory,
  memoryBytes,
  log,
}: ChildOptions): Promise<TaskChild> {
  const child = fork(fileURLToPath(entry), [String(process.pid)], {
    // no secret of ours is in the environment of what reads strangers' files
    env: { NODE_ENV: "production", TZ: "UTC" },
    execPath: process.execPath,
    execArgv: [
      `--max-old-space-size=${Math.max(64, Math.floor((memoryBytes / 2 ** 20) * HEAP_SHARE))}`,
      "--permission",
      "--allow-worker",
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
      "--disable-warning=SecurityWarning",
      "--disable-warning=ExperimentalWarning",
    ],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on(
    "data",
    (chunk: Buffer) => (said = (said + chunk.toString()).slice(-MAX_ERROR_CHARACTERS)),
  );
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const { pid } = child;
  if (pid === undefined)
    throw new ApiError(
      503,
      "parser_unavailable",
      "No process can be started to read files. Try again in a moment.",
    );
  lowerPriority(pid);
  let failure: ApiError | undefined;
  const kill = (reason: ApiError) => {
    failure ??= reason;
    child.kill("SIGKILL");
  };
  const over = () => kill(tooMuchMemory(memoryBytes));
  // never without a limit: what the system refuses now we watch ourselves
  const held = await memory.hold(pid, over).catch((error: unknown) => {
    log.warn(
      { err: error, pid },
      "a parsing process could not be put under its memory limit and is watched instead",
    );
    return watchdogLimit(memoryBytes).hold(pid, over);
  });
  const state: TaskChild = {
    pid,
    tasksDone: 0,
    ended: false,
    async run(task, input, { timeoutMs, signal }) {
      if (signal?.aborted) throw cancelled();
      const id = (state.tasksDone += 1);
      const late = setTimeout(() => kill(tooLong(timeoutMs)), timeoutMs);
      const abort = () => kill(cancelled());
      signal?.addEventListener("abort", abort, { once: true });
      try {
        return await ask(
          child,
          id,
          task,
          input,
          (code, by) => failure ?? whyEnded(code, by, said, memoryBytes),
        );
      } finally {
        clearTimeout(late);
        signal?.removeEventListener("abort", abort);
      }
    },
    async end() {
      child.kill("SIGKILL");
      await exited;
    },
  };
  void exited.then(async () => {
    state.ended = true;
    if (said && !failure) log.debug({ pid, said }, "a parsing process ended");
    await held.release();
  });
  return state;
}

function ask(
  child: ChildProcess,
  id: number,
  task: string,
  input: unknown,
  why: (code: number | null, signal: NodeJS.Signals | null) => ApiError,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      child.off("message", onMessage);
      child.off("exit", onExit);
      then();
    };
    const onMessage = (message: unknown) => {
      const answer = message as TaskAnswer; // only `serveTasks` sends
      if (answer.id !== id) return;
      settle(() => (answer.ok ? resolve(answer.result) : reject(failureOf(answer.error))));
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      settle(() => reject(why(code, signal)));
    child.on("message", onMessage);
    child.on("exit", onExit);
    if (!child.connected) return onExit(child.exitCode, child.signalCode);
    child.send({ id, task, input }, (error) => error && onExit(child.exitCode, child.signalCode));
  });
}

function failureOf({
  status,
  code,
  message,
}: Extract<TaskAnswer, { ok: false }>["error"]): ApiError {
  if (status !== undefined && code !== undefined) return new ApiError(status, code, message);
  return new ApiError(
    422,
    "file_unreadable",
    "This file cannot be read: it is damaged, or not what its name says.",
    {
      cause: new Error(message),
    },
  );
}

/** A kill that was not ours is the kernel's for want of memory; 134 is V8's end for want of heap. */
function whyEnded(
  code: number | null,
  signal: NodeJS.Signals | null,
  said: string,
  memoryBytes: number,
): ApiError {
  const noMemory =
    signal === "SIGKILL" || /out of memory|allocation failed|Array buffer allocation/i.test(said);
  if (noMemory) return tooMuchMemory(memoryBytes);
  return new ApiError(
    422,
    "parser_crashed",
    "Reading this file ended the process that read it. It is probably damaged on purpose.",
    {
      cause: new Error(`code ${code}, signal ${signal}: ${said}`),
    },
  );
}

function tooMuchMemory(bytes: number): ApiError {
  const megabytes = Math.round(bytes / 2 ** 20);
  return new ApiError(
    422,
    "too_complex",
    `Reading this file takes more than ${megabytes} MB of memory. Split it into smaller ones.`,
  );
}

function tooLong(ms: number): ApiError {
  return new ApiError(
    422,
    "too_complex",
    `Reading this file takes more than ${Math.round(ms / 1000)} seconds. Split it into smaller ones.`,
  );
}

function cancelled(): ApiError {
  return new ApiError(499, "request_cancelled", "Nobody waits for this file any more.");
}

/** Answering people goes before reading files. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // a system that does not let us is no reason not to read
  }
}
