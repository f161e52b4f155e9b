import {
  type ProcessingDeps,
  processDocument,
  sendToEmbedding,
  sendToParser,
} from "./process-document.ts";
import { extendWait, type Lost, saveFailed, takeLost } from "./processing-store.ts";

const MAX_CONCURRENT = 50;
const MAX_RESTARTS = 3;

/**
 * Documents of which nothing was heard for a lease. One that waits is sent again, as the same job,
 * by which a worker knows it; one that was in work begins anew, and after three such attempts it
 * has failed: nothing stays in work for ever.
 * @returns how many.
 */
export async function recoverLost(deps: ProcessingDeps): Promise<number> {
  return deps.db.tx(async () => {
    const lost = await takeLost(deps.db, MAX_CONCURRENT);
    // owners are locked in one order: two replicas never wait for each other
    const inOrder = lost.toSorted((one, other) => (one.ownerId < other.ownerId ? -1 : 1));
    for (const document of inOrder) await recover(deps, document);
    return lost.length;
  });
}

async function recover(deps: ProcessingDeps, document: Lost): Promise<void> {
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
  const message = `Nothing was heard of it for too long, ${restarts + 1} times. Look at the ${stage} service, then process it again.`;
  await saveFailed(deps.db, id, jobId, { stage, code: "processing_lost", message });
}
