import type { Database } from "./database.ts";

/** By embedded database: when the last batch that asked has ended and rested. */
const turns = new WeakMap<Database, Promise<void>>();
const MAX_REST_MS = 200;

/**
 * Runs one batch of a long job. The embedded database does one statement at a time, so the batches
 * of all jobs take turns there, with a rest between them as long as the last one took: whoever asks
 * for little waits for one batch at most. On a server, and inside `tx`, it just runs.
 */
export async function inTurn<Result>(
  db: Database,
  batch: () => Promise<Result>,
): Promise<Result> {
  if (!db.isEmbedded || db.inTransaction) return batch();
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = turns.get(db);
  turns.set(db, promise);
  await before;
  const began = performance.now();
  try {
    return await batch();
  } finally {
    setTimeout(resolve, Math.min(performance.now() - began, MAX_REST_MS));
  }
}
