import type { Isolation } from "../../isolation/isolation.ts";
import { watchdogLimit } from "../memory-limit.ts";
import type { Task } from "../task.ts";
import { SHARED_ERRORS } from "../worker-errors.ts";
import { startWorker, type Worker } from "../worker-process.ts";
import type tryTask from "./try-task.ts";
import type { Act } from "./try-task.ts";

/** The task that does what tasks could do. */
export const TRY: Task<typeof tryTask> = {
  file: new URL("./try-task.ts", import.meta.url),
  timeoutMs: 600_000,
  advice: "Make it smaller.",
};
const MEMORY = 300 * 2 ** 20;

export interface TestWorker extends Worker {
  try(act: Act, value?: unknown): Promise<unknown>;
}

/** One process, outside of a pool. */
export async function startTestWorker(isolation: Isolation): Promise<TestWorker> {
  const worker = await startWorker({
    isolation,
    memory: watchdogLimit(MEMORY),
    memoryBytes: MEMORY,
    heapBytes: MEMORY / 2,
    errors: SHARED_ERRORS,
  });
  return { ...worker, try: (act, value) => worker.run(TRY, { act, value }) };
}
