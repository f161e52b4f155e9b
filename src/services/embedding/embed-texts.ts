import type { Task } from "../../platform/workers/task.ts";
import type { JobDeps } from "./index/take-job.ts";
import type { EmbeddingModel, InputType } from "./models/embedding-model.ts";
import type hashTask from "./models/hash-task.ts";

const HASH_TEXTS: Task<typeof hashTask> = {
  file: new URL("./models/hash-task.ts", import.meta.url),
  timeoutMs: 60_000,
  advice: "Embed fewer or shorter texts at once.",
};
/** Shorter texts are hashed at once: asking a worker would take longer. */
const SHORT_CHARACTERS = 8_000;
/** The most for one task of a worker, unless a single text is longer. */
const MAX_HASHED_CHARACTERS = 200_000;

/**
 * Embeds any number of texts; vectors are in the order of the texts.
 * @throws What the model and the workers throw.
 */
export async function embedTexts(
  { workers }: Pick<JobDeps, "workers">,
  model: EmbeddingModel,
  texts: readonly string[],
  inputType: InputType,
  signal: AbortSignal,
): Promise<number[][]> {
  const { dimensions, maxBatchSize } = model;
  const isHashed = model.local && countCharacters(texts) > SHORT_CHARACTERS;
  const maxCharacters = isHashed ? MAX_HASHED_CHARACTERS : Infinity;
  const embeddings: number[][] = [];
  for (const group of groupsOf(texts, maxBatchSize, maxCharacters)) {
    const vectors = isHashed
      ? await workers.run(HASH_TEXTS, { texts: group, dimensions }, { signal })
      : await model.embed(group, inputType, signal);
    embeddings.push(...vectors);
  }
  return embeddings;
}

export function countCharacters(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function* groupsOf(
  texts: readonly string[],
  maxTexts: number,
  maxCharacters: number,
): Generator<string[]> {
  let group: string[] = [];
  let characters = 0;
  for (const text of texts) {
    const isFull = group.length === maxTexts || characters + text.length > maxCharacters;
    if (isFull && group.length > 0) {
      yield group;
      group = [];
      characters = 0;
    }
    group.push(text);
    characters += text.length;
  }
  if (group.length > 0) yield group;
}
