import { ApiError } from "../http/errors.ts";
import { endWithParent } from "../isolation/end-with-parent.ts";
import { READY, type TaskAnswer, type TaskError, type TaskMessage } from "./messages.ts";
import type { TaskFunction } from "./task.ts";

// The program of a worker process: runs tasks one at a time until its parent ends.

endWithParent();
process.on("disconnect", () => process.exit(0));
process.on("message", (message) => {
  void answer(message as TaskMessage).then((sent) => process.send?.(sent)); // the pool sends no other
});
process.send?.(READY);

async function answer({
  id,
  file,
  exported,
  input,
  size,
  folder = "",
}: TaskMessage): Promise<TaskAnswer> {
  try {
    // the bytes arrive whether or not the module can be loaded
    const bytes = await receive(size);
    const tasks = (await import(file)) as Record<string, TaskFunction | undefined>;
    const run = tasks[exported];
    if (!run) throw new Error("there is no such task");
    return { id, ok: true, output: await run(input, bytes, folder) };
  } catch (error) {
    return { id, ok: false, error: describe(error) };
  }
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

function describe(error: unknown): TaskError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  if (!(error instanceof ApiError)) return { name, message: error.stack ?? message };
  const { status, code, details, params, headers, cause } = error;
  return {
    name,
    message,
    status,
    code,
    details,
    params,
    headers,
    ...(cause instanceof Error && { cause: cause.message }),
  };
}
