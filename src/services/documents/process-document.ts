import { uuidv7 } from "uuidv7";
import type { Database } from "../../platform/db/database.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { EMBEDDING_JOBS, type EmbeddingJob } from "../embedding/contract-jobs.ts";
import { PARSING_JOBS, type ParsingJob } from "../parser/contract-jobs.ts";
import type { ProcessingSettings } from "./contract.ts";
import { beginAttempt, countInWork, settingsOf, type Waiting } from "./processing-store.ts";
import { lockOwner } from "./store.ts";

export interface ProcessingDeps {
  db: Database;
  queue: Queue;
  /** How long nothing may be heard of a document in work before it counts as lost. */
  leaseMs: number;
  /** How long one may wait for a worker before its message is sent again. */
  waitMs: number;
  /** Documents of one owner that are sent to parser and embedding at once; more are held. */
  maxInWork: number;
}

/**
 * Begins a new attempt: reads the file anew, or only cuts and indexes what was read before. Within
 * the transaction of whoever asks. Source: design "Documents".
 */
export async function processDocument(
  deps: ProcessingDeps,
  document: Waiting,
  { from = "parsing", restarts = 0 }: { from?: "parsing" | "embedding"; restarts?: number } = {},
): Promise<void> {
  const { db, waitMs, maxInWork } = deps;
  const markdownKey = from === "embedding" ? document.markdownKey : null;
  const jobId = uuidv7();
  await db.tx(async () => {
    await lockOwner(db, document.ownerId);
    const held = (await countInWork(db, document.ownerId)) >= maxInWork;
    await beginAttempt(db, document.id, {
      jobId,
      status: markdownKey === null ? "UPLOADED" : "PARSED",
      leaseMs: waitMs,
      restarts,
      held,
    });
    if (held) return;
    if (markdownKey === null) await sendToParser(deps, document, jobId);
    else await sendToEmbedding(deps, document, jobId, markdownKey);
  });
}

/** The parser may hear it twice: the job's id is the message's. */
export async function sendToParser(
  { db, queue }: ProcessingDeps,
  document: Waiting,
  jobId: string,
): Promise<void> {
  const { parser } = split(await settingsOf(db, document.folderId));
  const job: ParsingJob = {
    jobId,
    documentId: document.id,
    userId: document.ownerId,
    fileName: document.fileName,
    storageKey: document.storageKey,
    options: parser,
  };
  await queue.publish(PARSING_JOBS, job, { id: jobId });
}

export async function sendToEmbedding(
  { db, queue }: ProcessingDeps,
  { id, fileName, folderId }: Pick<Waiting, "id" | "fileName" | "folderId">,
  jobId: string,
  markdownKey: string,
): Promise<void> {
  const { chunks } = split(await settingsOf(db, folderId));
  const job: EmbeddingJob = {
    jobId,
    documentId: id,
    fileName,
    storageKey: markdownKey,
    options: chunks,
  };
  await queue.publish(EMBEDDING_JOBS, job, { id: jobId });
}

/**
 * Pages without text are read from their image, unless the folder says otherwise: a scan is a
 * document like another.
 */
function split(settings: ProcessingSettings) {
  const { method, chunkSize, chunkOverlap, translate, ...parser } = settings;
  const chunks = { method, chunkSize, chunkOverlap, translate };
  return { parser: { ocrEnabled: true, ocrMode: "auto" as const, ...parser }, chunks };
}
