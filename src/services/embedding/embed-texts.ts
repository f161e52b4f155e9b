import type { EmbeddingModel, InputType } from "./models/embedding-model.ts";

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
  for (let at = 0; at < texts.length; at += model.maxBatchSize) {
    const group = texts.slice(at, at + model.maxBatchSize);
    embeddings.push(...(await model.embed(group, inputType, signal, payer)));
  }
  return embeddings;
}
