import type { Database } from "../../platform/db/database.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { openSubscription } from "../../platform/subscription.ts";
import type { DocumentEvent, StoredDocument } from "./contract.ts";
import { CHANGES } from "./processing-store.ts";

/** A reader looks by itself this often: a wake-up may be lost, and so may the right to see. */
const LOOK_MS = 1_500;

/**
 * The states of a document as they change, first the one it is in; ends when it is processed or has
 * failed.
 * @param read the document as whoever follows may see it; throws when he may not (any more), which
 * ends the stream.
 */
export async function* followDocument(
  db: Database,
  id: string,
  read: () => Promise<StoredDocument>,
  signal: AbortSignal,
): AsyncGenerator<DocumentEvent[]> {
  await using changes = await openSubscription(
    (tell) => db.listen(CHANGES, (which) => which === id && tell()),
    {
      everyMs: LOOK_MS,
      signal,
    },
  );
  let last = "";
  while (!signal.aborted) {
    const document = await stillThere(read);
    if (!document) return;
    const { status, progress, error } = document;
    const event: DocumentEvent = { type: "status", status, progress, error };
    const now = JSON.stringify(event);
    if (now !== last) yield [event];
    last = now;
    if (status === "PROCESSED" || status === "FAILED") return;
    await changes.next();
  }
}

async function stillThere(
  read: () => Promise<StoredDocument>,
): Promise<StoredDocument | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
