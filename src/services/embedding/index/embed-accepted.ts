import type { Database } from "../../../platform/db/database.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import { type EmbeddingModel, TextRefused } from "../models/embedding-model.ts";
import { embedChunks } from "./embed-chunks.ts";
import type { ToEmbed } from "./models-store.ts";
import { recordRefusal } from "./refused-chunks.ts";

/** A text that every model accepts. */
const SHORT_TEXT = "text";

/**
 * Embeds the chunks whose text the model accepts, and records the others, so that a text which is
 * too long for it does not delay the rest.
 * @throws any error of the model that is not about the text, such as a refused credential.
 */
export async function embedAccepted(
  db: Database,
  model: EmbeddingModel,
  modelId: number,
  chunks: readonly ToEmbed[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await embedChunks(db, model, modelId, chunks, signal);
  } catch (error) {
    if (!(error instanceof TextRefused)) throw error;
    const half = chunks.length >> 1;
    if (half > 0) {
      await embedAccepted(db, model, modelId, chunks.slice(0, half), signal);
      await embedAccepted(db, model, modelId, chunks.slice(half), signal);
      return;
    }
    await checkShortText(model, error, signal);
    for (const { id } of chunks) await recordRefusal(db, modelId, id, error.code);
  }
}

/**
 * Tells a refused text from a server that does not understand the request and so refuses every
 * text.
 * @throws BadGateway `embedding_refuses_all`, and what the model throws.
 */
async function checkShortText(
  model: EmbeddingModel,
  cause: TextRefused,
  signal: AbortSignal,
): Promise<void> {
  try {
    await model.embed([SHORT_TEXT], "passage", signal);
  } catch (error) {
    if (!(error instanceof TextRefused)) throw error;
    throw refusesAll({ cause });
  }
}

export function refusesAll(options?: { cause: unknown }): BadGateway {
  return new BadGateway(
    "embedding_refuses_all",
    "The embedding model refuses every text. Check that it embeds texts, and how long they may be.",
    options,
  );
}
