import {
  type ProcessingDeps,
  processDocument,
  sendToEmbedding,
  sendToParser,
} from "./process-document.ts";
import { extendWait, type Attempt, saveFailed, lockLost } from "./processing-store.ts";

const MAX_PER_BATCH = 50;
const MAX_RESTARTS = 3;

/**
 * Recovers documents whose lease has expired. A document that waits for a worker is sent again as
 * the same job, which a worker recognizes. A document that was in progress is restarted; after
 * three restarts it fails.
 * @returns the number of recovered documents.
 */
export async function recoverLost(deps: ProcessingDeps): Promise<number> {
  return deps.db.tx(async () => {
    const lost = await lockLost(deps.db, MAX_PER_BATCH);
    // lock owners in a fixed order, so that two replicas never deadlock
    const inOrder = lost.toSorted((one, other) => (one.ownerId < other.ownerId ? -1 : 1));
    for (const document of inOrder) await recover(deps, document);
    return lost.length;
  });
}

async function recover(deps: ProcessingDeps, document: Attempt): Promise<void> {
  const { id, status, jobId, restarts, markdownKey } = document;
  if (status === "UPLOADED" || status === "PARSED") {
    await extendWait(deps.db, id, deps.waitMs);
    if (status === "PARSED" && markdownKey !== null)
      await sendToEmbedding(deps, document, jobId, markdownKey);
    else await sendToParser(deps, document, jobId);
    return;
  }
  const stage = status === "PARSING" ? "parsing" : "embedding";
  if (restarts < MAX_RESTARTS)
    return processDocument(deps, document, { from: stage, restarts: restarts + 1 });
  const message =
    `The ${stage} service stopped reporting progress, in ${restarts + 1} attempts. ` +
    `Check its log, then process the document again.`;
  await saveFailed(deps.db, id, jobId, { stage, code: "processing_lost", message });
}
