import type { Database } from "../../../platform/db/database.ts";
import { ApiError, BadGateway } from "../../../platform/http/errors.ts";
import { toStoredFailure } from "../../../platform/http/reported-error.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { repeatUntilNone } from "../../../platform/db/repeat-until-none.ts";
import { indexVectors } from "./vector-index.ts";
import type { IndexDeps } from "./attempt.ts";
import {
  activeModel,
  countEmbedded,
  isWanted,
  missingChunks,
  nextModel,
  recordFailure,
  removeRetired,
  stateOfVectors,
  type StoredModel,
  switchModel,
  type ToEmbed,
  recordRefusal,
} from "./models-store.ts";
import { type EmbeddingModel, TextRefused } from "../models/embedding-model.ts";
import { embedChunks } from "./embed-chunks.ts";

interface Deps extends Pick<IndexDeps, "db" | "models"> {
  log: Logger;
}

const BATCH = 64;
const MAX_REMOVED_PER_STATEMENT = 2_000;
const MODEL_GONE = {
  code: "embedding_model_gone",
  message:
    "The chosen embedding model is not in the catalogue any more. Enable it and its provider, " +
    "choose another one, or cancel the change.",
};

/** To be repeated: a run that left nothing is not followed before something changes. */
export function repeatedChange(deps: Deps): (signal: AbortSignal) => Promise<void> {
  let settled: string | undefined;
  return async (signal) => {
    // read before the run: what changes during it is seen at the next
    const state = await stateOfVectors(deps.db);
    if (state === settled) return;
    settled = (await changeModel(deps, signal)) ? state : undefined;
  };
}

/**
 * Removes vectors of former models. Embeds what the next model lacks, and puts it into use when
 * nothing is missing. Then embeds what the model in use lacks. Each batch is stored, so the next
 * run continues where this one ended. One process at a time runs this.
 * @returns whether it left nothing.
 */
export async function changeModel(
  { db, models, log }: Deps,
  signal: AbortSignal,
): Promise<boolean> {
  // only at the run after the switch: a question embedded before the switch still finds its answer
  await repeatUntilNone(db, () => removeRetired(db, MAX_REMOVED_PER_STATEMENT), signal);
  const next = await nextModel(db);
  const isComplete = next && (await embedNext({ db, models }, next, signal));
  if (isComplete) await indexVectors(db, next, signal);
  if (isComplete && (await switchModel(db, next)))
    log.info(
      { model: next.name, dimensions: next.dimensions },
      "the new embedding model is in use",
    );
  const active = await activeModel(db);
  if (!active) return !next;
  const isWhole = await embedMissing({ db, models }, active, signal);
  await indexVectors(db, active, signal);
  return isWhole && !next && !signal.aborted;
}

/**
 * Embeds what the next model lacks. Stores why it fails, for the administrator.
 * @returns whether nothing is left.
 */
async function embedNext(
  deps: Pick<Deps, "db" | "models">,
  next: StoredModel,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await deps.models.find(next))) {
    await recordFailure(deps.db, next.id, MODEL_GONE);
    return false;
  }
  let { failure } = next;
  const onBatch = async () => {
    if (failure) await recordFailure(deps.db, next.id, null);
    failure = null;
  };
  try {
    const isDone = await embedMissing(deps, next, signal, onBatch);
    if (isDone) await checkAccepted(deps.db, next);
    return isDone;
  } catch (error) {
    if (!signal.aborted && error instanceof ApiError) {
      await recordFailure(deps.db, next.id, toStoredFailure(error));
    }
    throw error;
  }
}

/**
 * A model that has embedded nothing must not replace another one.
 * @throws BadGateway `embedding_refuses_all`.
 */
async function checkAccepted(db: Database, { id }: StoredModel): Promise<void> {
  const { embedded, refused } = await countEmbedded(db, id);
  if (embedded === 0 && refused > 0) throw refusesAll();
}

/** @returns whether nothing is left. */
async function embedMissing(
  { db, models }: Pick<Deps, "db" | "models">,
  stored: StoredModel,
  signal: AbortSignal,
  onBatch?: () => Promise<void>,
): Promise<boolean> {
  const model = await models.find(stored);
  if (!model) return false;
  let after: string | null = null;
  while (!signal.aborted) {
    const chunks = await missingChunks(
      db,
      stored.id,
      after,
      Math.min(BATCH, model.maxBatchSize),
    );
    const last = chunks.at(-1);
    if (!last) return true;
    await embedAccepted(db, model, stored.id, chunks, signal);
    await onBatch?.();
    after = last.id;
    // an administrator cancelled the change, or chose another model
    if (!(await isWanted(db, stored.id))) return false;
  }
  return false;
}

/** A text that every model accepts. */
const SHORT_TEXT = "text";

/**
 * Embeds the chunks whose text the model accepts, and records the others, so that a text which is
 * too long for it does not delay the rest.
 * @throws any error of the model that is not about the text, such as a refused credential.
 */
async function embedAccepted(
  db: Database,
  model: EmbeddingModel,
  modelId: number,
  chunks: readonly ToEmbed[],
  signal: AbortSignal,
): Promise<void> {
  try {
    // the installation wants it, and no owner of a document
    await embedChunks(db, { model, modelId, payer: undefined }, chunks, signal);
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

function refusesAll(options?: { cause: unknown }): BadGateway {
  return new BadGateway(
    "embedding_refuses_all",
    "The embedding model refuses every text. Check that it embeds texts, and how long they may be.",
    options,
  );
}
