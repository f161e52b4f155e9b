import { type Fetch, call } from "../../../platform/http/call.ts";
import {
  ApiError,
  GatewayTimeout,
  NotFound,
  TooManyRequests,
  Unavailable,
  TooLarge,
  Conflict,
} from "../../../platform/http/errors.ts";
import type { Files } from "../../../platform/files/files.ts";
import { type Delivery, Poison, type Queue } from "../../../platform/queue/queue.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { JOB_REQUESTER } from "../../documents/contract-processing.ts";
import {
  EmbeddingJob,
  EMBEDDING_PROGRESS,
  EMBEDDING_RESULTS,
  type EmbeddingProgress,
  type EmbeddingResult,
} from "../contract-jobs.ts";
import { cutOptionsOf } from "../cut-options.ts";
import { indexDocument, type Indexed, checkText } from "./index-document.ts";
import type { IndexDeps, IndexRequest } from "./attempt.ts";
import { dropStopped, findAttempt } from "./sets-store.ts";
import { readMessage } from "../../../platform/queue/message.ts";
import { MAX_TEXT_CHARACTERS } from "../contract.ts";
import { documentsContract } from "../../documents/contract.ts";
import {
  type StoredFailure,
  toStoredFailure,
} from "../../../platform/http/reported-error.ts";

export interface JobDeps extends IndexDeps {
  files: Files;
  queue: Queue;
  log: Logger;
  /** The documents service, which starts the attempts for jobs of other systems. */
  documents: () => Fetch;
  /** The most attempts before a job fails. */
  maxAttempts: number;
}

/**
 * Consumes `embedding_jobs`: indexes the text and publishes progress and result. The queue retries
 * a temporary failure. After a permanent failure, or the last attempt, it publishes the failure and
 * the message goes to the dead letters.
 */
export function embeddingWorker(deps: JobDeps): (delivery: Delivery) => Promise<void> {
  return async (delivery) => {
    const { attempt, signal } = delivery;
    const job = readMessage(EmbeddingJob, delivery);
    try {
      const indexed = await runJob(deps, job, signal);
      if (indexed)
        await publishResult(deps.queue, job, { status: "completed", ...indexed });
      else logIgnored(deps.log, job);
    } catch (error) {
      signal.throwIfAborted();
      const temporary = !(error instanceof ApiError) || isTemporary(error);
      if (temporary && attempt < deps.maxAttempts) throw error;
      const { code, message, params } = await publishFailure(deps, job, error);
      throw new Poison(code, message, { params, cause: error });
    }
  };
}

/** @returns undefined when the attempt of the job has been replaced or stopped. */
async function runJob(
  deps: JobDeps,
  job: EmbeddingJob,
  signal: AbortSignal,
): Promise<Indexed | undefined> {
  const { jobId, documentId, options, layout } = job;
  const attempt = await findAttempt(deps.db, documentId);
  const isCurrent = attempt?.jobId === jobId;
  if (!isCurrent && job.requester === JOB_REQUESTER) {
    await dropStopped(deps.db, documentId);
    return undefined;
  }
  if (!attempt)
    throw new NotFound(
      "document_not_found",
      "There is no document with this id. Upload it to the documents service first.",
    );
  const text = job.text ?? (await readText(deps.files, job.storageKey ?? ""));
  const report = createProgressReporter(deps.queue, job);
  await report(0);
  const { translate = false } = options;
  const request = {
    documentId,
    ownerId: attempt.ownerId,
    text,
    options: cutOptionsOf({ ...options, layout }),
    translate,
    report,
    signal,
    isBackground: true,
  };
  return isCurrent
    ? indexDocument(deps, { ...request, jobId })
    : processText(deps, deps.documents(), request);
}

function logIgnored(log: Logger, { jobId, documentId }: EmbeddingJob): void {
  log.info(
    { jobId, documentId },
    "ignored an embedding job: its document was deleted or stopped, or has a newer attempt",
  );
}

function isTemporary(error: ApiError): boolean {
  if (error instanceof NotFound) return false;
  return (
    error instanceof TooManyRequests ||
    error instanceof Unavailable ||
    error instanceof GatewayTimeout
  );
}

/** Reads a stored text. @throws TooLarge `text_too_large`, NotFound `file_missing`. */
async function readText(files: Files, key: string): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  for await (const bytes of await files.read(key)) {
    const part = decoder.decode(bytes, { stream: true });
    parts.push(part);
    length += part.length;
    if (length > MAX_TEXT_CHARACTERS)
      throw new TooLarge(
        "text_too_large",
        `The text exceeds the limit of ${MAX_TEXT_CHARACTERS} characters. Divide the document.`,
        { params: { max: MAX_TEXT_CHARACTERS } },
      );
  }
  return parts.join("") + decoder.decode();
}

const TIMEOUT_MS = 5_000;

/**
 * Indexes a given text as a document's content, in place of the text of its file. Ends an attempt
 * in progress; afterwards the document is PROCESSED.
 * @throws ApiError `no_text_found`, NotFound, Conflict `attempt_over` when the document is stopped
 * or processed again in the meantime, and whatever `indexDocument` throws.
 */
export async function processText(
  deps: JobDeps,
  documents: Fetch,
  request: Omit<IndexRequest, "jobId" | "report"> & Partial<Pick<IndexRequest, "report">>,
): Promise<Indexed> {
  const { documentId, text } = request;
  // checked before the current attempt ends
  checkText(text);
  const params = { id: documentId };
  const { attempt } = await call(
    documents,
    documentsContract.takeOver,
    { params },
    { timeoutMs: TIMEOUT_MS },
  );
  const job = { jobId: attempt, documentId };
  try {
    const reportAttempt = createProgressReporter(deps.queue, job);
    const report = async (progress: number) => {
      await reportAttempt(progress);
      await request.report?.(progress);
    };
    const indexed = await indexDocument(deps, { ...request, jobId: attempt, report });
    if (!indexed)
      throw new Conflict(
        "attempt_over",
        "The document was stopped or deleted, or another attempt has started since. " +
          "Read its status.",
      );
    await call(
      documents,
      documentsContract.saveIndex,
      { params, body: { attempt, ...indexed } },
      { timeoutMs: TIMEOUT_MS },
    );
    return indexed;
  } catch (error) {
    await publishFailure(deps, job, error);
    throw error;
  }
}

type JobIds = Pick<EmbeddingJob, "jobId" | "documentId">;
type Outcome = EmbeddingResult extends infer Result
  ? Result extends unknown
    ? Omit<Result, keyof JobIds>
    : never
  : never;

const MIN_REPORT_INTERVAL_MS = 1_000;

/** Returns a function that publishes the progress of an attempt at a limited rate. */
function createProgressReporter(
  queue: Queue,
  { jobId, documentId }: JobIds,
): (progress: number) => Promise<void> {
  let reportedAt = -Infinity;
  return async (progress) => {
    if (performance.now() - reportedAt < MIN_REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    const step: EmbeddingProgress = { jobId, documentId, stage: "embedding", progress };
    await queue.publish(EMBEDDING_PROGRESS, step);
  };
}

async function publishResult(
  queue: Queue,
  { jobId, documentId }: JobIds,
  outcome: Outcome,
): Promise<void> {
  await queue.publish(EMBEDDING_RESULTS, { jobId, documentId, ...outcome });
}

/** Publishes why an attempt failed. @returns the failure. */
async function publishFailure(
  { queue, log }: { queue: Queue; log: Logger },
  job: JobIds,
  error: unknown,
): Promise<StoredFailure> {
  const failure: StoredFailure =
    error instanceof ApiError
      ? toStoredFailure(error)
      : {
          code: "embedding_failed",
          message:
            "The text could not be indexed. Check the log of the embedding service, then retry.",
        };
  if (!(error instanceof ApiError))
    log.error({ err: error, documentId: job.documentId }, "could not index a document");
  await publishResult(queue, job, { status: "failed", error: failure });
  return failure;
}
