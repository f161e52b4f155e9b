import type { Database } from "../../../platform/db/database.ts";
import { findAttempt } from "./sets-store.ts";

/** The document was deleted or stopped, or has a newer attempt. */
export class AttemptOver extends Error {}

/** @throws AttemptOver; the abort reason when the process stops. */
export async function checkAttempt(
  db: Database,
  { documentId, jobId, signal }: { documentId: string; jobId: string; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  if (!(await isCurrentAttempt(db, { documentId, jobId }))) throw new AttemptOver();
}

export async function isCurrentAttempt(
  db: Database,
  { documentId, jobId }: { documentId: string; jobId: string },
): Promise<boolean> {
  const attempt = await findAttempt(db, documentId);
  return attempt !== undefined && attempt.jobId === jobId;
}
