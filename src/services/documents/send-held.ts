import { type ProcessingDeps, sendToEmbedding, sendToParser } from "./process-document.ts";
import { countInWork, findHeldOwners, takeHeld } from "./processing-store.ts";
import { lockOwner } from "./store.ts";

/**
 * Sends an owner's held documents as far as there is room. Each owner has so many messages in the
 * queues at most: whoever comes last waits for a few documents of each, not for all of one.
 */
export async function sendHeld(deps: ProcessingDeps, ownerId: string): Promise<void> {
  const { db, maxInWork, waitMs } = deps;
  await db.tx(async () => {
    await lockOwner(db, ownerId);
    const room = maxInWork - (await countInWork(db, ownerId));
    if (room <= 0) return;
    for (const document of await takeHeld(db, ownerId, room, waitMs)) {
      const { status, jobId, markdownKey } = document;
      if (status === "PARSED" && markdownKey !== null)
        await sendToEmbedding(deps, document, jobId, markdownKey);
      else await sendToParser(deps, document, jobId);
    }
  });
}

/**
 * The same for every owner: makes up for ends that nobody heard of, and for stops and deletions.
 */
export async function sendAllHeld(deps: ProcessingDeps): Promise<void> {
  for (const ownerId of await findHeldOwners(deps.db)) await sendHeld(deps, ownerId);
}
