import type { Task } from "../../../platform/workers/task.ts";
import type { RunOptions, Workers } from "../../../platform/workers/workers.ts";
import type cutTask from "./cut-task.ts";
import type { CutChunk, CutOptions } from "./cut-text.ts";

const CUT_TEXT: Task<typeof cutTask> = {
  file: new URL("./cut-task.ts", import.meta.url),
  timeoutMs: 60_000,
  advice: "Cut it with another method, or divide it.",
};

/** @throws TooLarge `chunks_too_large`, what `Workers.run` throws. */
export async function cutInWorker(
  workers: Pick<Workers, "run">,
  text: string,
  cutOptions: CutOptions,
  options: RunOptions,
): Promise<CutChunk[]> {
  const places = await workers.run(CUT_TEXT, { text, options: cutOptions }, options);
  return places.map(({ above, ...place }) => ({
    ...place,
    content: above + text.slice(place.start, place.end),
  }));
}
