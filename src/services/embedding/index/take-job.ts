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
  /** Tries before a job counts as failed. */
  tries: number;
}

const REPORT_MS = 1_000;

/**
 * Takes one message of `embedding_jobs`: indexes its text, says how far it is and how it ended.
 * What fails for a reason that passes is tried again by the queue; what fails for good, or too
 * often, is told to the documents service and goes to the dead letters.
 */
export function embeddingWorker(deps: JobDeps): (delivery: Delivery) => Promise<void> {
  return async ({ data, attempt, signal }) => {
    const parsed = EmbeddingJob.safeParse(data);
    if (!parsed.success)
      throw new Poison(`not an embedding job: ${parsed.error.issues[0]?.path.join(".")}`);
    const job = parsed.data;
    try {
      await runJob(deps, job, signal);
    } catch (error) {
      signal.throwIfAborted();
      const passes = !(error instanceof ApiError) || isPassing(error);
      if (passes && attempt < deps.tries) throw error;
      const code = await tellFailure(deps, job, error);
      throw new Poison(code, { cause: error });
    }
  };
}

/** Tells the documents service why an attempt failed. @returns the code. */
export async function tellFailure(
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
            "The text could not be indexed. Look at the log of the embedding service, then process it again.",
        };
  if (!(error instanceof ApiError))
    log.error({ err: error, documentId: job.documentId }, "a document could not be indexed");
  await tell(queue, job, { status: "failed", error: { code, message } });
  return code;
}

async function runJob(deps: JobDeps, job: EmbeddingJob, signal: AbortSignal): Promise<void> {
  const attempt = await findAttempt(deps.db, job.documentId);
  const { jobId, documentId } = job;
  const leave = () =>
    deps.log.info(
      { jobId, documentId },
      "an embedding job was left: its document is gone, was stopped or began anew since",
    );
  if (!attempt || attempt.jobId !== jobId) {
    await dropStopped(deps.db, documentId);
    leave();
    return;
  }
  const text = job.text ?? (await readText(deps.files, job.storageKey ?? ""));
  const report = progressOf(deps.queue, job);
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
  if (indexed) await tell(deps.queue, job, { status: "completed", ...indexed });
  else leave();
}

/** Tells the documents service how far an attempt is, not too often. */
export function progressOf(
  queue: Queue,
  { jobId, documentId }: Pick<EmbeddingJob, "jobId" | "documentId">,
): (progress: number) => Promise<void> {
  let reportedAt = 0;
  return async (progress) => {
    if (Date.now() - reportedAt < REPORT_MS) return;
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

async function tell(
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
        `The text has more than ${MAX_TEXT_CHARACTERS} characters, the most that is indexed.`,
      );
  }
  return text + decoder.decode();
}

function isPassing(error: ApiError): boolean {
  if (error instanceof NotFound) return false;
  return (
    error instanceof TooManyRequests ||
    error instanceof Unavailable ||
    error instanceof GatewayTimeout
  );
}
