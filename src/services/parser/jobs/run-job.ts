import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { type Delivery, Poison, type Queue } from "../../../platform/queue/queue.ts";
import {
  PARSING_JOBS,
  PARSING_PROGRESS,
  PARSING_RESULTS,
  type ParseError,
  ParsingJob,
  type ParsingProgress,
  type ParsingResult,
  ParsingStop,
} from "../contract-jobs.ts";
import { toImages } from "../show-result.ts";
import type { ParsedResult } from "../parse-file.ts";
import { ParseFailure } from "../parse-run.ts";
import {
  claimJob,
  emptyJob,
  endUnseenJob,
  findJob,
  finishJob,
  insertJob,
  keepJob,
  type Outcome,
  releaseJob,
  type StoredJob,
} from "./job-store.ts";

export interface JobDeps {
  db: Database;
  queue: Queue;
  files: Files;
  /** Reads the bytes that lie under a key. */
  parse(
    job: Pick<StoredJob, "storageKey" | "fileName" | "options">,
    signal: AbortSignal,
    onProgress: (progress: number, message: string) => void,
  ): Promise<ParsedResult>;
}

/** Where bytes lie that were sent here to be read. */
export const UPLOADS = "parser-uploads/";
/** Tries of a job of which not the file but a service was at fault. */
export const TRIES = 5;
const LEASE_MS = 30_000;
/** How often a worker says that it lives, and looks whether the job is still wanted. */
const SIGN_MS = 2_000;
/** How often whoever waits is told so when there is nothing new. */
const TELL_MS = 30_000;
/** And at most. */
const MIN_PUBLISH_INTERVAL_MS = 1_000;
const MAX_MARKDOWN = 256 * 2 ** 20;

/**
 * Takes one message of `parsing_jobs`. Twice is as once: a job that is done answers again, one that
 * another has in hand is looked at later. What the file is at fault for is a result; what a service
 * is at fault for is tried again.
 */
export async function runJob(deps: JobDeps, { data, attempt, signal }: Delivery): Promise<void> {
  const { db, queue } = deps;
  const parsed = ParsingJob.safeParse(data);
  if (!parsed.success)
    throw new Poison(`not such a message: ${parsed.error.issues[0]?.path.join(".")}`);
  const { jobId, documentId, userId, fileName, storageKey, options } = parsed.data;
  // an upload's job was there before its message: one that is not was let go of since
  if (!storageKey.startsWith(UPLOADS))
    await insertJob(db, {
      id: jobId,
      documentId: documentId ?? null,
      ownerId: userId ?? null,
      fileName,
      storageKey,
      ownFiles: false,
      options,
    });
  const worker = uuidv7();
  const claimed = await claimJob(db, jobId, worker, LEASE_MS);
  const job = await findJob(db, jobId);
  if (!job) return;
  if (claimed) return work(deps, job, worker, attempt, signal);
  if (job.status === "completed" || job.status === "failed") return tellOutcome(queue, job);
  await queue.publish(PARSING_JOBS, parsed.data, { delayMs: LEASE_MS });
}

/** Takes one message of `parsing_stops`: the job's worker sees it at its next sign of life. */
export async function stopJob(
  { db }: Pick<JobDeps, "db">,
  { data }: Pick<Delivery, "data">,
): Promise<void> {
  const stop = ParsingStop.safeParse(data);
  if (!stop.success) throw new Poison("not such a message: jobId");
  await endUnseenJob(db, stop.data.jobId, {
    code: "stopped",
    message: "Somebody stopped it. Process it again when you want it.",
  });
  if (stop.data.forget) await emptyJob(db, stop.data.jobId);
}

async function work(
  deps: JobDeps,
  job: StoredJob,
  worker: string,
  attempt: number,
  stopping: AbortSignal,
): Promise<void> {
  const { db, files } = deps;
  const unwanted = new AbortController();
  const life = showLife(deps, job, worker, () => unwanted.abort());
  const markdownKey = `parsed/${job.id}.md`;
  try {
    const outcome = await outcomeOf(
      deps,
      job,
      AbortSignal.any([stopping, unwanted.signal]),
      life.progress,
      markdownKey,
    );
    const last = attempt >= TRIES;
    if ("retry" in outcome && !unwanted.signal.aborted && (stopping.aborted || !last)) {
      await releaseJob(db, job.id, worker);
      throw outcome.retry;
    }
    const result =
      "retry" in outcome ? { status: "failed" as const, error: shown(outcome.retry) } : outcome;
    const taken = await db.tx(async () => {
      if (!(await finishJob(db, job.id, worker, result))) return false;
      await tell(deps.queue, job, result);
      return true;
    });
    if (!taken && result.status === "completed")
      await Promise.all([markdownKey, extrasKey(job.id)].map((key) => files.delete(key)));
    if (taken && job.ownFiles) await files.delete(job.storageKey);
    if ("retry" in outcome && taken) throw new Poison(outcome.retry.message);
  } finally {
    life.end();
  }
}

async function outcomeOf(
  deps: JobDeps,
  job: StoredJob,
  signal: AbortSignal,
  onProgress: (progress: number, message: string) => void,
  markdownKey: string,
): Promise<Outcome | { retry: Error }> {
  try {
    const { file, metadata } = await deps.parse(job, signal, onProgress);
    await deps.files.write(markdownKey, once(file.markdown), { maxBytes: MAX_MARKDOWN, signal });
    if (job.ownFiles) await writeExtras(deps.files, job.id, file, signal);
    return { status: "completed", markdownKey, metadata };
  } catch (error) {
    if (error instanceof ApiError && error.status < 499)
      return { status: "failed", error: shown(error) };
    return { retry: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Tables and pictures, which no column should hold. */
async function writeExtras(
  files: Files,
  jobId: string,
  { tables, images }: ParsedResult["file"],
  signal: AbortSignal,
): Promise<void> {
  if (!tables && !images) return;
  const text = JSON.stringify({
    ...(tables && { tables }),
    ...(images && { images: toImages(images) }),
  });
  await files.write(extrasKey(jobId), once(text), { maxBytes: MAX_MARKDOWN, signal });
}

export function extrasKey(jobId: string): string {
  return `parsed/${jobId}.json`;
}

/** Keeps the lease, tells how far it is, and notices when the job was ended. */
function showLife({ db, queue }: JobDeps, job: StoredJob, worker: string, gone: () => void) {
  let progress = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;
  const tellProgress = (message?: string) => {
    publishedAt = performance.now();
    if (!isPublished(job)) return;
    const step: ParsingProgress = {
      jobId: job.id,
      documentId: job.documentId,
      stage: "parsing",
      progress,
      ...(message && { message }),
    };
    // one that is lost is followed by another
    queue.publish(PARSING_PROGRESS, step).catch(() => {});
  };
  const timer = setInterval(() => {
    keepJob(db, job.id, worker, LEASE_MS, progress).then(
      (kept) => !kept && gone(),
      () => {}, // the database is away for a moment; the lease outlasts it
    );
    if (performance.now() - publishedAt > TELL_MS) tellProgress();
  }, SIGN_MS).unref();
  return {
    progress(now: number, message: string) {
      progress = now;
      // of a file that is read in a moment nobody needs to hear each step
      if (performance.now() - publishedAt > MIN_PUBLISH_INTERVAL_MS) tellProgress(message);
    },
    end: () => clearInterval(timer),
  };
}

/** A job started over HTTP publishes nothing: its caller may not change the named document. */
function isPublished(job: StoredJob): job is StoredJob & { documentId: string } {
  return job.documentId !== null && !job.ownFiles;
}

async function tell(queue: Queue, job: StoredJob, outcome: Outcome): Promise<void> {
  if (!isPublished(job)) return;
  const { id, documentId } = job;
  const result: ParsingResult =
    outcome.status === "completed"
      ? { jobId: id, documentId, ...outcome }
      : { jobId: id, documentId, ...outcome };
  await queue.publish(PARSING_RESULTS, result);
}

async function tellOutcome(queue: Queue, job: StoredJob): Promise<void> {
  const { markdownKey, metadata, error } = job;
  if (markdownKey && metadata)
    await tell(queue, job, { status: "completed", markdownKey, metadata });
  else if (error) await tell(queue, job, { status: "failed", error });
}

/** What a person may read; a fault of ours is told without its inside. */
function shown(error: Error): ParseError {
  if (error instanceof ParseFailure)
    return { code: error.code, message: error.message, trace: error.trace };
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return {
    code: "parser_failed",
    message:
      "The parser failed on our side. Process the file again; if it stays, tell your administrator.",
  };
}

// oxlint-disable-next-line typescript/require-await
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
