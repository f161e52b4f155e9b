import { constants, setPriority } from "node:os";
import type { ApiError } from "../../../platform/http/errors.ts";
import { innermostProcess } from "../../../platform/isolation/process-chain.ts";
import { cancelled, tooLong, tooMuchMemory, whyEnded } from "./child-failures.ts";
import { exchange } from "./exchange.ts";
import { watchdogLimit } from "./limit-memory.ts";
import { type ChildOptions, spawnChild, whenReady } from "./spawn-child.ts";

export interface Asked {
  /** The path of the file whose bytes the task reads. */
  path?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * A process that runs one task after another. When it ends, its current task fails with the reason.
 */
export interface TaskChild {
  /** The process id on this system, which may differ from the one in its namespace. */
  pid: number;
  tasksDone: number;
  ended: boolean;
  run(task: string, input: unknown, asked: Asked): Promise<unknown>;
  end(): Promise<void>;
}

const MAX_ERROR_CHARACTERS = 2_000;

/** @throws Unavailable `parser_unavailable`. */
export async function startChild(options: ChildOptions): Promise<TaskChild> {
  const { memoryBytes, log } = options;
  const child = spawnChild(options);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  let said = "";
  child.stderr?.on(
    "data",
    (chunk: Buffer) => (said = (said + chunk.toString()).slice(-MAX_ERROR_CHARACTERS)),
  );
  const ready = whenReady(child, () => said);
  ready.catch(() => {}); // awaited below
  let failure: ApiError | undefined;
  const kill = (reason: ApiError) => {
    failure ??= reason;
    child.kill("SIGKILL");
  };
  const held = await holdMemory(options, child.pid, () => kill(tooMuchMemory(memoryBytes)));
  void exited.then(() => held?.release());
  await ready;
  const { pid: outer = 0 } = child; // what is ready has one
  const pid = await innermostProcess(outer);
  const state: TaskChild = {
    pid,
    tasksDone: 0,
    ended: false,
    async run(task, input, { path, timeoutMs, signal }) {
      if (signal?.aborted) throw cancelled();
      const id = (state.tasksDone += 1);
      const late = setTimeout(() => kill(tooLong(timeoutMs)), timeoutMs);
      const abort = () => kill(cancelled());
      signal?.addEventListener("abort", abort, { once: true });
      try {
        return await exchange(child, { id, task, input, path }, (code, by) => {
          return failure ?? whyEnded({ code, signal: by, said }, memoryBytes);
        });
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
  void exited.then(() => {
    state.ended = true;
    if (said && !failure) log.debug({ pid, said }, "a parsing process ended");
  });
  return state;
}

/**
 * A process never runs without a memory limit: if the system refuses one, its memory is watched.
 */
async function holdMemory(
  { memory, memoryBytes, log }: ChildOptions,
  pid: number | undefined,
  over: () => void,
) {
  if (pid === undefined) return undefined;
  lowerPriority(pid);
  return memory.hold(pid, over).catch((error: unknown) => {
    log.warn(
      { err: error, pid },
      "the memory of a parsing process is watched, not limited",
    );
    return watchdogLimit(memoryBytes).hold(pid, over);
  });
}

/** Serving requests has priority over reading files. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // without permission for that, files are read all the same
  }
}
