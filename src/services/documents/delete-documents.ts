import type { z } from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Delivery, Queue } from "../../platform/queue/queue.ts";
import { PARSING_STOPS, type ParsingStop } from "../parser/contract-jobs.ts";
import { REMOVALS, Removal } from "./contract-processing.ts";
import { type Removed, removeDocuments } from "./store.ts";
import { readMessage } from "../../platform/queue/message.ts";

/**
 * Delay of the queued deletion. By then the request has deleted the files itself, unless its
 * process was killed or the storage failed.
 */
const REMOVAL_DELAY_MS = 60_000;

interface Deps {
  db: Database;
  queue: Queue;
  files: Files;
}

/**
 * Deletes documents with their chunks, vectors, files and parser jobs, and stops their parsing.
 * Files that the storage fails to delete now are deleted later by the queue.
 * With `ownerId` a batch of them, until none is left.
 * @returns the ids of the deleted documents.
 */
export async function deleteDocuments(
  { db, queue, files }: Deps,
  where: Removed,
): Promise<string[]> {
  const removed = await db.tx(async () => {
    const documents = await removeDocuments(db, where);
    for (const { keys, jobId } of documents) {
      await queue.publish(REMOVALS, { keys } satisfies z.input<typeof Removal>, {
        delayMs: REMOVAL_DELAY_MS,
      });
      if (jobId !== null)
        await queue.publish(PARSING_STOPS, { jobId, forget: true } satisfies ParsingStop);
    }
    return documents;
  });
  // a failure is ignored: the queue deletes what is left
  await Promise.all(
    removed.flatMap(({ keys }) => keys).map((key) => files.delete(key).catch(() => {})),
  );
  return removed.map(({ id }) => id);
}

/** Consumes a message of `document_removals`. Idempotent. */
export async function consumeRemoval(
  { files }: Pick<Deps, "files">,
  delivery: Pick<Delivery, "data">,
): Promise<void> {
  const { keys } = readMessage(Removal, delivery);
  await Promise.all(keys.map((key) => files.delete(key)));
}
