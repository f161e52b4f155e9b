import { processDocument, type ProcessingDeps } from "./process-document.ts";
import { lockFailed } from "./processing-store.ts";

interface Whose {
  ownerId: string;
  /** Of one folder only. */
  folderId: string | undefined;
}

/** Of one call. */
const MAX_RETRIED = 1_000;
/** Of one transaction: others wait for it, since the embedded database has one connection. */
const MAX_BATCH = 20;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Processes an owner's failed documents again, each once, until the signal aborts.
 * @returns how many.
 */
export async function retryFailed(
  deps: ProcessingDeps,
  whose: Whose,
  signal: AbortSignal,
): Promise<number> {
  let retried = 0;
  // one that fails again meanwhile stands before the others
  let after = BEFORE_ALL;
  while (retried < MAX_RETRIED && !signal.aborted) {
    const ids = await retryBatch(deps, whose, after);
    const last = ids.at(-1);
    if (last === undefined) break;
    retried += ids.length;
    after = last;
  }
  return retried;
}

function retryBatch(deps: ProcessingDeps, whose: Whose, after: string): Promise<string[]> {
  return deps.db.tx(async () => {
    const failed = await lockFailed(deps.db, { ...whose, after, limit: MAX_BATCH });
    for (const document of failed) await processDocument(deps, document);
    return failed.map(({ id }) => id);
  });
}
