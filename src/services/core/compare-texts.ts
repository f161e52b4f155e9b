import type { Task } from "../../platform/workers/task.ts";
import type { RunOptions, Workers } from "../../platform/workers/workers.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type diffText from "./diff-text.ts";
import type { Change, DiffRequest } from "./diff-text.ts";

const DIFF_TEXT: Task<typeof diffText> = {
  file: new URL("./diff-text.ts", import.meta.url),
  timeoutMs: 10_000,
  advice: "Read both texts.",
};

/**
 * @returns undefined when the texts differ too much to be compared.
 * @throws what `Workers.run` throws.
 */
export async function compareTexts(
  workers: Workers,
  request: DiffRequest,
  options: RunOptions,
): Promise<Change[] | undefined> {
  try {
    return await workers.run(DIFF_TEXT, request, options);
  } catch (error) {
    if (error instanceof ApiError && error.code === "too_complex") return undefined;
    throw error;
  }
}
