import type { Task } from "../../../platform/workers/task.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import type hashTask from "./hash-task.ts";
import { hashedWords } from "./hashed-words.ts";

const HASH_TEXTS: Task<typeof hashTask> = {
  file: new URL("./hash-task.ts", import.meta.url),
  timeoutMs: 60_000,
  advice: "Embed fewer or shorter texts at once.",
};
/** Shorter texts are hashed at once: asking a worker would take longer. */
const SHORT_CHARACTERS = 8_000;
/** The most for one task of a worker, unless a single text is longer. */
const MAX_TASK_CHARACTERS = 200_000;

/** The built-in model, which hashes texts of any length without holding up others. */
export function localModel(
  workers: Pick<Workers, "run">,
  dimensions?: number,
): EmbeddingModel {
  const model = hashedWords(dimensions);
  return {
    ...model,
    async embed(texts, inputType, signal) {
      if (countCharacters(texts) <= SHORT_CHARACTERS)
        return model.embed(texts, inputType, signal);
      const vectors: number[][] = [];
      for (const group of groupsOf(texts)) {
        const numbers = await workers.run(
          HASH_TEXTS,
          { texts: group, dimensions: model.dimensions },
          { signal },
        );
        for (let at = 0; at < numbers.length; at += model.dimensions)
          vectors.push(Array.from(numbers.subarray(at, at + model.dimensions)));
      }
      return vectors;
    },
  };
}

export function countCharacters(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function* groupsOf(texts: readonly string[]): Generator<string[]> {
  let group: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (group.length > 0 && characters + text.length > MAX_TASK_CHARACTERS) {
      yield group;
      group = [];
      characters = 0;
    }
    group.push(text);
    characters += text.length;
  }
  if (group.length > 0) yield group;
}
