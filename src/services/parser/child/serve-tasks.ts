import { FileError } from "@parlance/to-markdown/file-error.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { endWithParent } from "../../../platform/isolation/end-with-parent.ts";
import { statusOf } from "./status-of.ts";
import { READY, type TaskAnswer, type TaskMessage } from "./tasks.ts";

type Task = (
  // the input's type comes from the pool's caller
  // oxlint-disable-next-line typescript/no-explicit-any
  input: any,
  bytes: Buffer,
) => Promise<unknown>;
export type Tasks = Record<string, Task>;

/**
 * The child's side: runs one task at a time and answers each by its id, until the parent
 * disconnects.
 */
export function serveTasks(tasks: Tasks): void {
  endWithParent();
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message) => {
    const { id, task, input, size } = message as TaskMessage; // only the pool sends
    void receive(size)
      .then((bytes) => answer(id, tasks[task], input, bytes))
      .then((sent) => process.send?.(sent));
  });
  process.send?.(READY);
}

/** The bytes of one file, which follow its task. */
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
      return {
        id,
        ok: false,
        error: { status: statusOf(error), code: error.code, message },
      };
    // not a fault of the file: part of the program cannot be read
    const ours = error instanceof Error && "syscall" in error;
    return {
      id,
      ok: false,
      error: { ...(ours && { status: 500, code: "parser_failed" }), message },
    };
  }
}
