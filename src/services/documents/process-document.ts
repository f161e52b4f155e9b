import { uuidv7 } from "uuidv7";
import type { Database } from "../../platform/db/database.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import { EMBEDDING_JOBS, type EmbeddingJob } from "../embedding/contract-jobs.ts";
import {
  PARSING_JOBS,
  PARSING_STOPS,
  type ParsingJob,
  type ParsingStop,
} from "../parser/contract-jobs.ts";
import { JOB_REQUESTER } from "./contract-processing.ts";
import type { ProcessingSettings } from "./contract-stored.ts";
import {
  type Attempt,
  beginAttempt,
  countInWork,
  extendWait,
  findAttempt,
  findHeldOwners,
  findNeglected,
  findSettings,
  layoutOf,
  lockLost,
  type Processable,
  releaseHeld,
  saveFailed,
  saveStopped,
} from "./processing-store.ts";
import { lockOwner } from "./store.ts";

export interface ProcessingDeps {
  db: Database;
  queue: Queue;
  /** How long a document in progress may go without a progress message before it counts as lost. */
  leaseMs: number;
  /** How long a document may wait for a worker before its message is sent again. */
  waitMs: number;
  /** The most documents of one owner that are in progress at once; further ones are held. */
  maxInWork: number;
}

/**
 * Starts a new attempt: parses the file again, or only cuts and indexes the text that was parsed
 * before. Joins the caller's transaction.
 */
export async function processDocument(
  deps: ProcessingDeps,
  document: Processable,
  {
    from = "parsing",
    restarts = 0,
  }: { from?: "parsing" | "embedding"; restarts?: number } = {},
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

/** The parser may receive the message twice: it recognizes the job by its id. */
async function sendToParser(
  { db, queue }: ProcessingDeps,
  document: Processable,
  jobId: string,
): Promise<void> {
  const { parser } = splitSettings(await findSettings(db, document.folderId));
  const job: ParsingJob = {
    jobId,
    documentId: document.id,
    userId: document.ownerId,
    fileName: document.fileName,
    storageKey: document.storageKey,
    options: parser,
    requester: JOB_REQUESTER,
  };
  await queue.publish(PARSING_JOBS, job, { id: jobId });
}

export async function sendToEmbedding(
  { db, queue }: ProcessingDeps,
  document: Processable,
  jobId: string,
  markdownKey: string,
): Promise<void> {
  const { id, fileName, folderId } = document;
  const { chunks } = splitSettings(await findSettings(db, folderId));
  const job: EmbeddingJob = {
    jobId,
    documentId: id,
    fileName,
    storageKey: markdownKey,
    options: chunks,
    layout: layoutOf(document),
    requester: JOB_REQUESTER,
  };
  await queue.publish(EMBEDDING_JOBS, job, { id: jobId });
}

/** Divides the settings by service. Pages without text go through OCR unless the folder says no. */
function splitSettings(settings: ProcessingSettings) {
  const { method, chunkSize, chunkOverlap, translate, ...parser } = settings;
  const chunks = { method, chunkSize, chunkOverlap, translate };
  return { parser: { ocrEnabled: true, ocrMode: "auto" as const, ...parser }, chunks };
}

/** @returns whether the document was being processed. */
export async function stopProcessing(
  { db, queue }: Pick<ProcessingDeps, "db" | "queue">,
  id: string,
): Promise<boolean> {
  const jobId = await findAttempt(db, id);
  if (!(await saveStopped(db, id))) return false;
  if (jobId !== undefined)
    await queue.publish(PARSING_STOPS, { jobId } satisfies ParsingStop);
  return true;
}

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
async function sendAllHeld(deps: ProcessingDeps): Promise<void> {
  for (const ownerId of await findHeldOwners(deps.db)) await sendHeld(deps, ownerId);
}

/** Recovers lost documents and sends those that wait. One query where there are none. */
export async function recoverNeglected(
  deps: ProcessingDeps,
  signal: AbortSignal,
): Promise<void> {
  const { areLost, areHeld } = await findNeglected(deps.db);
  if (areLost) while (!signal.aborted && (await recoverLost(deps)) > 0);
  if (areHeld) await sendAllHeld(deps);
}

const MAX_LOST_PER_BATCH = 50;
const MAX_RESTARTS = 3;

/**
 * Recovers documents whose lease has expired. A document that waits for a worker is sent again as
 * the same job, which a worker recognizes. A document that was in progress is restarted; after
 * three restarts it fails.
 * @returns the number of recovered documents.
 */
export async function recoverLost(deps: ProcessingDeps): Promise<number> {
  return deps.db.tx(async () => {
    const lost = await lockLost(deps.db, MAX_LOST_PER_BATCH);
    // lock owners in a fixed order, so that two replicas never deadlock
    const inOrder = lost.toSorted((one, other) => (one.ownerId < other.ownerId ? -1 : 1));
    for (const document of inOrder) await recover(deps, document);
    return lost.length;
  });
}

async function recover(deps: ProcessingDeps, document: Attempt): Promise<void> {
  const { id, status, jobId, restarts, markdownKey } = document;
  if (status === "UPLOADED" || status === "PARSED") {
    await extendWait(deps.db, id, deps.waitMs);
    if (status === "PARSED" && markdownKey !== null)
      await sendToEmbedding(deps, document, jobId, markdownKey);
    else await sendToParser(deps, document, jobId);
    return;
  }
  const stage = status === "PARSING" ? "parsing" : "embedding";
  if (restarts < MAX_RESTARTS)
    return processDocument(deps, document, { from: stage, restarts: restarts + 1 });
  const message =
    `The ${stage} service stopped reporting progress, in ${restarts + 1} attempts. ` +
    `Check its log, then process the document again.`;
  await saveFailed(deps.db, id, jobId, { stage, code: "processing_lost", message });
}
