import type { Database } from "../../../platform/db/database.ts";
import { findAttempt } from "./sets-store.ts";

/** The document was deleted or stopped, or has another attempt. */
export class AttemptOver extends Error {}

/** @throws AttemptOver; the abort reason when the process stops. */
export async function checkAttempt(
  db: Database,
  { documentId, jobId, signal }: { documentId: string; jobId: string; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const attempt = await findAttempt(db, documentId);
  if (!attempt || attempt.jobId !== jobId) throw new AttemptOver();
}
