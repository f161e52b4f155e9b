import type { EmbeddingModel, InputType } from "./models/embedding-model.ts";
import { inGroups } from "../../platform/in-groups.ts";

/**
 * Embeds any number of texts; vectors are in the order of the texts.
 * @throws What the model throws.
 */
export async function embedTexts(
  model: EmbeddingModel,
  texts: readonly string[],
  inputType: InputType,
  signal: AbortSignal,
  payer: string | undefined,
): Promise<number[][]> {
  const embeddings: number[][] = [];
  for (const some of inGroups(texts, model.maxBatchSize))
    embeddings.push(...(await model.embed(some, inputType, signal, payer)));
  return embeddings;
}
