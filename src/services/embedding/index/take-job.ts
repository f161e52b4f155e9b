import type { Logger } from "../../../platform/telemetry/log.ts";
import {
  ApiError,
  NotFound,
  TooManyRequests,
  Unavailable,
  GatewayTimeout,
} from "../../../platform/http/errors.ts";
import type { Files } from "../../../platform/files/files.ts";
import { type Delivery, Poison, type Queue } from "../../../platform/queue/queue.ts";
import {
  EMBEDDING_PROGRESS,
  EMBEDDING_RESULTS,
  EmbeddingJob,
  type EmbeddingProgress,
  type EmbeddingResult,
} from "../contract-jobs.ts";
import { MAX_TEXT_CHARACTERS } from "../contract.ts";
import { cutOptionsOf } from "../cut-options.ts";
import { dropStopped, findAttempt } from "./sets-store.ts";
import { indexDocument, type IndexDeps } from "./index-document.ts";

export interface JobDeps extends IndexDeps {
  files: Files;
  queue: Queue;
  log: Logger;
  /** The most attempts before a job fails. */
  maxAttempts: number;
}

const MIN_REPORT_INTERVAL_MS = 1_000;

/**
 * Consumes `embedding_jobs`: indexes the text and publishes progress and result. The queue retries
 * a temporary failure. After a permanent failure, or the last attempt, it publishes the failure and
 * the message goes to the dead letters.
 */
export function embeddingWorker(deps: JobDeps): (delivery: Delivery) => Promise<void> {
  return async ({ data, attempt, signal }) => {
    const parsed = EmbeddingJob.safeParse(data);
    if (!parsed.success)
      throw new Poison(`invalid embedding job: ${parsed.error.issues[0]?.path.join(".")}`);
    const job = parsed.data;
    try {
      await runJob(deps, job, signal);
    } catch (error) {
      signal.throwIfAborted();
      const temporary = !(error instanceof ApiError) || isTemporary(error);
      if (temporary && attempt < deps.maxAttempts) throw error;
      const code = await publishFailure(deps, job, error);
      throw new Poison(code, { cause: error });
    }
  };
}

/** Publishes why an attempt failed. @returns the error code. */
export async function publishFailure(
  { queue, log }: Pick<JobDeps, "queue" | "log">,
  job: { jobId: string; documentId: string },
  error: unknown,
): Promise<string> {
  const { code, message } =
    error instanceof ApiError
      ? error
      : {
          code: "embedding_failed",
          message:
            "The text could not be indexed. Check the log of the embedding service, then retry.",
        };
  if (!(error instanceof ApiError))
    log.error({ err: error, documentId: job.documentId }, "could not index a document");
  await publishResult(queue, job, { status: "failed", error: { code, message } });
  return code;
}

async function runJob(deps: JobDeps, job: EmbeddingJob, signal: AbortSignal): Promise<void> {
  const attempt = await findAttempt(deps.db, job.documentId);
  const { jobId, documentId } = job;
  const logIgnored = () =>
    deps.log.info(
      { jobId, documentId },
      "ignored an embedding job: its document was deleted or stopped, or has a newer attempt",
    );
  if (!attempt || attempt.jobId !== jobId) {
    await dropStopped(deps.db, documentId);
    logIgnored();
    return;
  }
  const text = job.text ?? (await readText(deps.files, job.storageKey ?? ""));
  const report = createProgressReporter(deps.queue, job);
  await report(0);
  const { translate = false } = job.options;
  const request = {
    jobId: job.jobId,
    documentId: job.documentId,
    text,
    options: cutOptionsOf(job.options),
    translate,
    report,
    signal,
  };
  const indexed = await indexDocument(deps, request);
  if (indexed) await publishResult(deps.queue, job, { status: "completed", ...indexed });
  else logIgnored();
}

/** Returns a function that publishes the progress of an attempt at a limited rate. */
export function createProgressReporter(
  queue: Queue,
  { jobId, documentId }: Pick<EmbeddingJob, "jobId" | "documentId">,
): (progress: number) => Promise<void> {
  let reportedAt = 0;
  return async (progress) => {
    if (Date.now() - reportedAt < MIN_REPORT_INTERVAL_MS) return;
    reportedAt = Date.now();
    const step: EmbeddingProgress = { jobId, documentId, stage: "embedding", progress };
    await queue.publish(EMBEDDING_PROGRESS, step);
  };
}

type Outcome = EmbeddingResult extends infer Result
  ? Result extends unknown
    ? Omit<Result, "jobId" | "documentId">
    : never
  : never;

async function publishResult(
  queue: Queue,
  { jobId, documentId }: Pick<EmbeddingJob, "jobId" | "documentId">,
  outcome: Outcome,
): Promise<void> {
  await queue.publish(EMBEDDING_RESULTS, { jobId, documentId, ...outcome });
}

/** @throws TooLarge, NotFound. */
async function readText(files: Files, key: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of await files.read(key)) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_TEXT_CHARACTERS)
      throw new ApiError(
        413,
        "text_too_large",
        `The text exceeds the limit of ${MAX_TEXT_CHARACTERS} characters. Divide the document.`,
      );
  }
  return text + decoder.decode();
}

function isTemporary(error: ApiError): boolean {
  if (error instanceof NotFound) return false;
  return (
    error instanceof TooManyRequests ||
    error instanceof Unavailable ||
    error instanceof GatewayTimeout
  );
}
