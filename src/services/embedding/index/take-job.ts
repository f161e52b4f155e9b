import type { Fetch } from "../../../platform/http/call.ts";
import {
  ApiError,
  GatewayTimeout,
  NotFound,
  TooManyRequests,
  Unavailable,
  TooLarge,
} from "../../../platform/http/errors.ts";
import type { Files } from "../../../platform/files/files.ts";
import { type Delivery, Poison, type Queue } from "../../../platform/queue/queue.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { JOB_REQUESTER } from "../../documents/contract-processing.ts";
import { EmbeddingJob } from "../contract-jobs.ts";
import { cutOptionsOf } from "../cut-options.ts";
import { indexDocument, type Indexed } from "./index-document.ts";
import type { IndexDeps } from "./index-request.ts";
import { processText } from "./process-text.ts";
import {
  createProgressReporter,
  publishFailure,
  publishResult,
} from "./publish-results.ts";
import { dropStopped, findAttempt } from "./sets-store.ts";
import { readMessage } from "../../../platform/queue/read-message.ts";
import { MAX_TEXT_CHARACTERS } from "../contract.ts";

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
