import { ApiError } from "../../../platform/http/errors.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import {
  type StoredFailure,
  toStoredFailure,
} from "../../../platform/http/reported-error.ts";
import {
  EMBEDDING_PROGRESS,
  EMBEDDING_RESULTS,
  type EmbeddingJob,
  type EmbeddingProgress,
  type EmbeddingResult,
} from "../contract-jobs.ts";

type JobIds = Pick<EmbeddingJob, "jobId" | "documentId">;
type Outcome = EmbeddingResult extends infer Result
  ? Result extends unknown
    ? Omit<Result, keyof JobIds>
    : never
  : never;

const MIN_REPORT_INTERVAL_MS = 1_000;

/** Returns a function that publishes the progress of an attempt at a limited rate. */
export function createProgressReporter(
  queue: Queue,
  { jobId, documentId }: JobIds,
): (progress: number) => Promise<void> {
  let reportedAt = 0;
  return async (progress) => {
    if (Date.now() - reportedAt < MIN_REPORT_INTERVAL_MS) return;
    reportedAt = Date.now();
    const step: EmbeddingProgress = { jobId, documentId, stage: "embedding", progress };
    await queue.publish(EMBEDDING_PROGRESS, step);
  };
}

export async function publishResult(
  queue: Queue,
  { jobId, documentId }: JobIds,
  outcome: Outcome,
): Promise<void> {
  await queue.publish(EMBEDDING_RESULTS, { jobId, documentId, ...outcome });
}

/** Publishes why an attempt failed. @returns the failure. */
export async function publishFailure(
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
