import { type ProcessingDeps, sendToEmbedding, sendToParser } from "./process-document.ts";
import { countInWork, findHeldOwners, releaseHeld } from "./processing-store.ts";
import { lockOwner } from "./store.ts";

/**
 * Sends an owner's held documents up to the limit per owner. The limit keeps the queues fair: a
 * new document waits for a few documents of each owner, not for all documents of one.
 */
export async function sendHeld(deps: ProcessingDeps, ownerId: string): Promise<void> {
  const { db, maxInWork, waitMs } = deps;
  await db.tx(async () => {
    await lockOwner(db, ownerId);
    const room = maxInWork - (await countInWork(db, ownerId));
    if (room <= 0) return;
    for (const document of await releaseHeld(db, ownerId, room, waitMs)) {
      const { status, jobId, markdownKey } = document;
      if (status === "PARSED" && markdownKey !== null)
        await sendToEmbedding(deps, document, jobId, markdownKey);
      else await sendToParser(deps, document, jobId);
    }
  });
}

/** Does the same for every owner, for attempts that ended without a message. */
export async function sendAllHeld(deps: ProcessingDeps): Promise<void> {
  for (const ownerId of await findHeldOwners(deps.db)) await sendHeld(deps, ownerId);
}
