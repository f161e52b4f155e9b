import type { Task } from "../../platform/workers/task.ts";
import { modelInUse } from "./index/embed-set.ts";
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
const MAX_CHARACTERS_AT_ONCE = 200_000;

/**
 * Embeds texts with the model in use; vectors are in the order of the texts.
 * @throws What `modelInUse`, the model and the workers throw.
 */
export async function embedTexts(
  deps: JobDeps,
  texts: readonly string[],
  inputType: InputType,
  signal: AbortSignal,
): Promise<{ embeddings: number[][]; model: string; dimensions: number }> {
  const { model } = await modelInUse(deps);
  const embeddings: number[][] = [];
  for (const group of groupsOf(texts, model.maxBatchSize))
    embeddings.push(...(await embedGroup(deps, model, group, inputType, signal)));
  return { embeddings, model: model.name, dimensions: model.dimensions };
}

function embedGroup(
  { workers }: Pick<JobDeps, "workers">,
  model: EmbeddingModel,
  texts: readonly string[],
  inputType: InputType,
  signal: AbortSignal,
): Promise<number[][]> {
  if (!model.local || lengthOf(texts) <= SHORT_CHARACTERS)
    return model.embed(texts, inputType, signal);
  const { dimensions } = model;
  return workers.run(HASH_TEXTS, { texts, dimensions }, { signal });
}

function* groupsOf(texts: readonly string[], size: number): Generator<string[]> {
  let group: string[] = [];
  let characters = 0;
  for (const text of texts) {
    const isFull =
      group.length === size || characters + text.length > MAX_CHARACTERS_AT_ONCE;
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

const lengthOf = (texts: readonly string[]) =>
  texts.reduce((sum, { length }) => sum + length, 0);
