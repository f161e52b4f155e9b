import { ApiError } from "../http/errors.ts";
import { endWithParent } from "../isolation/end-with-parent.ts";
import type { TaskFunction } from "./task.ts";

// The program of a worker process: runs tasks one at a time until its parent ends.

export interface TaskMessage {
  id: number;
  /** URL of the module whose default export is the task. */
  file: string;
  input: unknown;
}

interface TaskError {
  name: string;
  message: string;
  /** These three are of an `ApiError`. */
  status?: number;
  code?: string;
  details?: unknown;
  headers?: Record<string, string>;
}

export type TaskAnswer =
  | { id: number; ok: true; output: unknown }
  | { id: number; ok: false; error: TaskError };

endWithParent();
process.on("disconnect", () => process.exit(0));
process.on("message", (message) => {
  void answer(message as TaskMessage).then((sent) => process.send?.(sent)); // the pool sends no other
});

async function answer({ id, file, input }: TaskMessage): Promise<TaskAnswer> {
  try {
    const { default: run } = (await import(file)) as { default: TaskFunction };
    return { id, ok: true, output: await run(input) };
  } catch (error) {
    return { id, ok: false, error: describe(error) };
  }
}

function describe(error: unknown): TaskError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  if (!(error instanceof ApiError)) return { name, message: error.stack ?? message };
  const { status, code, details, headers } = error;
  return { name, message, status, code, details, headers };
}
