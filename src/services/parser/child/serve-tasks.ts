import { Worker } from "node:worker_threads";
import { FileError } from "@parlance/to-markdown/file-error.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { statusOf } from "./status-of.ts";
import { READY, type TaskAnswer, type TaskMessage } from "./tasks.ts";

type Task = (
  // input is what the pool's caller of that name gives
  // oxlint-disable-next-line typescript/no-explicit-any
  input: any,
  bytes: Buffer,
) => Promise<unknown>;
export type Tasks = Record<string, Task>;

/** A thread of its own: a file may keep the first one busy for ever after the parent was killed. */
const END_WITH_PARENT = `
  const { workerData: parent } = require("node:worker_threads");
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);
`;

/** The side of the child: one task at a time, each answered by its id, until the parent leaves. */
export function serveTasks(tasks: Tasks): void {
  // as the parent gave it: the parent may be gone by now
  const [, , parent] = process.argv;
  if (parent !== undefined) endWith(Number(parent));
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    const { id, task, input, size } = message as TaskMessage; // only the pool sends
    void receive(size)
      .then((bytes) => answer(id, tasks[task], input, bytes))
      .then((sent) => process.send?.(sent));
  });
  process.send?.(READY);
}

/** Ends this process when its parent has ended; then gives up the right to start threads. */
function endWith(parent: number): void {
  new Worker(END_WITH_PARENT, {
    eval: true,
    workerData: parent,
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  }).unref();
  (process.permission as Droppable).drop("worker");
}

/** Node 24's, which its published types lack. */
type Droppable = typeof process.permission & { drop(scope: string): void };

/** The bytes of one file, which come after its task. */
function receive(size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  if (size === 0) return Promise.resolve(bytes);
  return new Promise((resolve) => {
    let received = 0;
    const take = (chunk: Buffer) => {
      received += chunk.copy(bytes, received);
      if (received < size) return;
      process.stdin.off("data", take).pause();
      resolve(bytes);
    };
    process.stdin.on("data", take).resume();
  });
}

async function answer(
  id: number,
  run: Task | undefined,
  input: unknown,
  bytes: Buffer,
): Promise<TaskAnswer> {
  try {
    if (!run) throw new Error("there is no such task");
    return { id, ok: true, result: await run(input, bytes) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof ApiError)
      return { id, ok: false, error: { status: error.status, code: error.code, message } };
    if (error instanceof FileError)
      return { id, ok: false, error: { status: statusOf(error), code: error.code, message } };
    // not the file's fault: part of the program cannot be read
    const ours = error instanceof Error && "syscall" in error;
    return {
      id,
      ok: false,
      error: { ...(ours && { status: 500, code: "parser_failed" }), message },
    };
  }
}
