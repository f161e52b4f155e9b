import type { Database } from "../../../platform/db/database.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import type { CutOptions } from "../chunking/cut-text.ts";
import type { Translator } from "../languages/translate.ts";
import type { EmbeddingModels } from "../models/all-models.ts";
import type { AdmitEmbedding } from "../admit-embedding.ts";
import { findAttempt } from "./sets-store.ts";

export interface IndexDeps {
  db: Database;
  workers: Pick<Workers, "run">;
  models: EmbeddingModels;
  translator: Translator;
  admit: AdmitEmbedding;
}

export interface IndexRequest {
  /** The id of the attempt. Indexing ends when the document is stopped or has a newer attempt. */
  jobId: string;
  documentId: string;
  /** Whom translations and vectors count for; undefined: nobody. */
  ownerId: string | undefined;
  text: string;
  options: CutOptions;
  translate: boolean;
  /** Called with the finished share, 0 to 1. */
  report(progress: number): Promise<void>;
  signal: AbortSignal;
  /** Whether no client waits for it. */
  isBackground?: boolean;
}

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
