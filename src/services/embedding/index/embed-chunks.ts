import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import type { EmbeddingModel } from "../models/embedding-model.ts";
import { checkAttempt, type IndexDeps, type IndexRequest } from "./attempt.ts";
import { activeModel, nextModel, type StoredModel, type ToEmbed } from "./models-store.ts";
import {
  chunksAfter,
  type ChunkSet,
  countVectors,
  withoutVectors,
  addVectors,
} from "./sets-store.ts";
import type { Database } from "../../../platform/db/database.ts";

interface ModelInUse {
  model: EmbeddingModel;
  stored: StoredModel;
}

const MAX_BATCH = 128;
/** The share of the progress of an attempt at which embedding starts. */
export const EMBEDDING_STARTS_AT = 0.1;

/**
 * Returns the model in use.
 * @throws Unavailable `embedding_model_unreachable` when it cannot be reached any more.
 */
export async function modelInUse({
  db,
  models,
}: Pick<IndexDeps, "db" | "models">): Promise<ModelInUse> {
  const stored = await activeModel(db);
  const model = stored && (await models.find(stored));
  if (!stored || !model)
    throw new Unavailable(
      "embedding_model_unreachable",
      "The embedding model that the index was made with cannot be asked any more. Enable it and " +
        "its provider, choose another one in the administration, or wait for the new one.",
      30_000,
    );
  return { model, stored };
}

/**
 * Embeds the chunks of a set that have no vector of the active model, for the document's owner.
 * If that model fails while another is replacing it, embeds them with the next model only: until
 * the change is complete, a search finds the document only by its words.
 * @throws AttemptOver, and what the models throw.
 */
export async function embedSet(
  deps: IndexDeps,
  set: ChunkSet,
  chunks: number,
  request: IndexRequest,
): Promise<ModelInUse> {
  try {
    const used = await modelInUse(deps);
    await embedWith(deps, set, used, chunks, request);
    return used;
  } catch (error) {
    const stored =
      error instanceof ApiError && !request.signal.aborted
        ? await nextModel(deps.db)
        : undefined;
    const model = stored && (await deps.models.find(stored));
    if (!stored || !model) throw error;
    await embedWith(deps, set, { model, stored }, chunks, request);
    return { model, stored };
  }
}

async function embedWith(
  { db, admit }: IndexDeps,
  set: ChunkSet,
  { model, stored }: ModelInUse,
  chunks: number,
  request: IndexRequest,
): Promise<void> {
  const limit = Math.min(MAX_BATCH, model.maxBatchSize);
  const embeddedBefore = await countVectors(db, set.id, stored.id);
  if (embeddedBefore >= chunks) return;
  for (let after = -1, embedded = 0; ;) {
    const page = await chunksAfter(db, set.id, after, limit);
    const last = page.at(-1);
    if (!last) return;
    await checkAttempt(db, request);
    const missing = embeddedBefore > 0 ? await withoutVectors(db, stored.id, page) : page;
    if (missing.length > 0) {
      const { ownerId, signal } = request;
      await admit(model, ownerId, signal);
      await embedChunks(db, { model, modelId: stored.id, payer: ownerId }, missing, signal);
    }
    after = last.index;
    embedded += page.length;
    const share = embedded / Math.max(1, chunks);
    await request.report(
      Math.min(1, EMBEDDING_STARTS_AT + (1 - EMBEDDING_STARTS_AT) * share),
    );
  }
}

interface Embedding {
  model: EmbeddingModel;
  modelId: number;
  /** Whom it counts for. */
  payer: string | undefined;
}

/** Embeds chunks, each with the titles of its sections before it, and stores the vectors. */
export async function embedChunks(
  db: Database,
  { model, modelId, payer }: Embedding,
  chunks: readonly ToEmbed[],
  signal: AbortSignal,
): Promise<void> {
  const vectors = await model.embed(chunks.map(textToEmbed), "passage", signal, payer);
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
