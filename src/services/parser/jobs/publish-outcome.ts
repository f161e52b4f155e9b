import type { Queue } from "../../../platform/queue/queue.ts";
import {
  PARSING_PROGRESS,
  PARSING_RESULTS,
  type ParsingProgress,
  type ParsingResult,
} from "../contract-jobs.ts";
import type { Outcome, StoredJob } from "./job-store.ts";

/**
 * Publishes the outcome of a job that names a document. The document may belong to another system;
 * the documents service ignores results of jobs that it did not send.
 */
export async function publishOutcome(
  queue: Queue,
  job: StoredJob,
  outcome: Outcome,
): Promise<void> {
  const { id, documentId, requester } = job;
  if (documentId === null) return;
  const of = { jobId: id, documentId, ...(requester && { requester }) };
  const result: ParsingResult =
    outcome.status === "completed" ? { ...of, ...outcome } : { ...of, ...outcome };
  await queue.publish(PARSING_RESULTS, result);
}

/** Publishes the stored outcome of a job that has ended. */
export async function publishStoredOutcome(queue: Queue, job: StoredJob): Promise<void> {
  const { markdownKey, metadata, error } = job;
  if (markdownKey && metadata)
    await publishOutcome(queue, job, { status: "completed", markdownKey, metadata });
  else if (error) await publishOutcome(queue, job, { status: "failed", error });
}

/** Publishes the progress of a job that names a document. A lost message is followed by others. */
export function publishProgress(
  queue: Queue,
  { id, documentId }: Pick<StoredJob, "id" | "documentId">,
  progress: number,
  message?: string,
): void {
  if (documentId === null) return;
  const step: ParsingProgress = {
    jobId: id,
    documentId,
    stage: "parsing",
    progress,
    ...(message && { message }),
  };
  // the next step says more
  queue.publish(PARSING_PROGRESS, step).catch(() => {});
}
