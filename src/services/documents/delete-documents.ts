import { z } from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import { type Delivery, Poison, type Queue } from "../../platform/queue/queue.ts";
import { PARSING_STOPS, type ParsingStop } from "../parser/contract-jobs.ts";
import { removeDocuments } from "./store.ts";

/** Bytes of documents that are gone. */
export const REMOVALS = "document_removals";
const Removal = z.object({ keys: z.array(z.string()).max(10) });

/**
 * Until then whoever deletes has deleted the bytes himself, unless he was killed or the storage was
 * away.
 */
const LATER_MS = 60_000;

interface Deps {
  db: Database;
  queue: Queue;
  files: Files;
}

/**
 * Deletes documents with their chunks, vectors and bytes, and what the parser knows of them; what
 * reads one stops. What a failing storage leaves is deleted later. @returns their ids.
 */
export async function deleteDocuments(
  { db, queue, files }: Deps,
  where: { id: string } | { ownerId: string },
): Promise<string[]> {
  const removed = await db.tx(async () => {
    const documents = await removeDocuments(db, where);
    for (const { keys, jobId } of documents) {
      await queue.publish(REMOVALS, { keys } satisfies z.input<typeof Removal>, {
        delayMs: LATER_MS,
      });
      if (jobId !== null)
        await queue.publish(PARSING_STOPS, { jobId, forget: true } satisfies ParsingStop);
    }
    return documents;
  });
  // at once where that is possible; the queue brings what is left
  await Promise.all(
    removed.flatMap(({ keys }) => keys).map((key) => files.delete(key).catch(() => {})),
  );
  return removed.map(({ id }) => id);
}

/** Takes one message of `document_removals`. Twice is as once. */
export async function takeRemoval(
  { files }: Pick<Deps, "files">,
  { data }: Pick<Delivery, "data">,
): Promise<void> {
  const removal = Removal.safeParse(data);
  if (!removal.success) throw new Poison("not such a message: keys");
  await Promise.all(removal.data.keys.map((key) => files.delete(key)));
}
