import { Worker } from "node:worker_threads";
import { FileError } from "@parlance/to-markdown/file-error.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { statusOf } from "./status-of.ts";
import type { TaskAnswer, TaskMessage } from "./tasks.ts";

// input is what the pool's caller of that name gives
// oxlint-disable-next-line typescript/no-explicit-any
export type Tasks = Record<string, (input: any) => Promise<unknown>>;

/** A thread of its own, because a file may keep the first one busy for ever after the parent was killed. */
const END_WITH_PARENT = `
  const { workerData: parent } = require("node:worker_threads");
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 1000);
`;

/** The side of the child: one task at a time, each answered by its id, until the parent leaves. */
export function serveTasks(tasks: Tasks): void {
  // as the parent told it: it may be gone by the time we ask
  new Worker(END_WITH_PARENT, {
    eval: true,
    workerData: Number(process.argv[2]),
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  }).unref();
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    const { id, task, input } = message as TaskMessage; // only the pool sends
    void answer(id, tasks[task], input).then((sent) => process.send?.(sent));
  });
}

async function answer(
  id: number,
  run: Tasks[string] | undefined,
  input: unknown,
): Promise<TaskAnswer> {
  try {
    if (!run) throw new Error("there is no such task");
    return { id, ok: true, result: await run(input) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof ApiError)
      return { id, ok: false, error: { status: error.status, code: error.code, message } };
    if (error instanceof FileError)
      return { id, ok: false, error: { status: statusOf(error), code: error.code, message } };
    // not the file's fault: it is not there, or may not be read
    const ours = error instanceof Error && "syscall" in error;
    return {
      id,
      ok: false,
      error: { ...(ours && { status: 500, code: "parser_failed" }), message },
    };
  }
}
