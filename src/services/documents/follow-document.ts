import type { Database } from "../../platform/db/database.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { openSubscription } from "../../platform/subscription.ts";
import type { DocumentEvent, StoredDocument } from "./contract-stored.ts";
import { CHANGES } from "./processing-store.ts";

/** A stream also polls: a notification may be lost, and access may be revoked without one. */
const POLL_INTERVAL_MS = 1_500;

/**
 * Yields the status of a document now and whenever it changes, until it is processed or has failed.
 * @param read reads the document with the caller's access; when it throws NotFound, the stream
 * ends.
 */
export async function* followDocument(
  db: Database,
  id: string,
  read: () => Promise<StoredDocument>,
  signal: AbortSignal,
): AsyncGenerator<DocumentEvent[]> {
  await using changes = await openSubscription(
    (wake) => db.listen(CHANGES, (changedId) => changedId === id && wake()),
    {
      everyMs: POLL_INTERVAL_MS,
      signal,
    },
  );
  let last = "";
  while (!signal.aborted) {
    const document = await readIfVisible(read);
    if (!document) return;
    const { status, progress, error } = document;
    const event: DocumentEvent = { type: "status", status, progress, error };
    const current = JSON.stringify(event);
    if (current !== last) yield [event];
    last = current;
    if (status === "PROCESSED" || status === "FAILED") return;
    await changes.next();
  }
}

async function readIfVisible(
  read: () => Promise<StoredDocument>,
): Promise<StoredDocument | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
