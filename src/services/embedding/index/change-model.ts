import type { Cache } from "../../../platform/cache/cache.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { embedChunks } from "./embed-chunks.ts";
import type { IndexDeps } from "./index-document.ts";
import {
  activeModel,
  missingChunks,
  nextModel,
  removeRetired,
  type StoredModel,
  switchModel,
} from "./models-store.ts";

interface Deps extends Pick<IndexDeps, "db" | "models"> {
  cache: Cache;
  log: Logger;
}

const LEASE_KEY = "embedding:change-model";
const LEASE_MS = 120_000;
const BATCH = 64;
const REMOVED_AT_ONCE = 2_000;

/**
 * Embeds what the next model has not seen, and lets it take the other's place when nothing is left;
 * then what the model in use lacks; then removes vectors of former models. What is done is stored,
 * so it goes on after an end at any place; one process at a time does it.
 */
export async function changeModel(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, cache, log } = deps;
  if (!(await cache.add(LEASE_KEY, "1", LEASE_MS))) return;
  try {
    // at the next call, so that a question that was embedded before the change still finds its
    // answer
    while (!signal.aborted && (await removeRetired(db, REMOVED_AT_ONCE)) > 0)
      await cache.set(LEASE_KEY, "1", LEASE_MS);
    const next = await nextModel(db);
    if (next && (await embedMissing(deps, next, signal)) && (await switchModel(db, next)))
      log.info(
        { model: next.name, dimensions: next.dimensions },
        "questions are asked in the new embedding model from now on",
      );
    const active = await activeModel(db);
    if (active) await embedMissing(deps, active, signal);
  } finally {
    await cache.delete(LEASE_KEY);
  }
}

/** @returns whether nothing is left. */
async function embedMissing(
  { db, models, cache }: Deps,
  stored: StoredModel,
  signal: AbortSignal,
): Promise<boolean> {
  const model = models.find(stored.name, stored.provider, stored.dimensions);
  if (!model) return false;
  let after: string | null = null;
  while (!signal.aborted) {
    const chunks = await missingChunks(db, stored.id, after, Math.min(BATCH, model.maxBatchSize));
    const last = chunks.at(-1);
    if (!last) return true;
    await embedChunks(db, model, stored.id, chunks, signal);
    after = last.id;
    await cache.set(LEASE_KEY, "1", LEASE_MS);
  }
  return false;
}
