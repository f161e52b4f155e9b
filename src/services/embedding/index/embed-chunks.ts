import type { Database } from "../../../platform/db/database.ts";
import type { EmbeddingModel } from "../models/embedding-model.ts";
import type { ToEmbed } from "./models-store.ts";
import { addVectors } from "./sets-store.ts";

/** Embeds chunks, each with the titles of its sections before it, and stores the vectors. */
export async function embedChunks(
  db: Database,
  model: EmbeddingModel,
  modelId: number,
  chunks: readonly ToEmbed[],
  signal: AbortSignal,
): Promise<void> {
  const vectors = await model.embed(chunks.map(textToEmbed), "passage", signal);
  const rows = chunks.flatMap(({ id, setId }, n) =>
    vectors[n] ? [{ chunkId: id, setId, vector: vectors[n] }] : [],
  );
  await addVectors(db, modelId, rows);
}

/** The titles of its sections say what a chunk is about. */
function textToEmbed({ headings, content, translation }: ToEmbed): string {
  const text = translation ?? content;
  const missing = headings.filter((title) => !text.includes(title));
  return missing.length > 0 ? `${missing.join(" > ")}\n${text}` : text;
}
