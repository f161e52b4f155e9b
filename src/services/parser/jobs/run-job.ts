import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { type Delivery, Poison, type Queue } from "../../../platform/queue/queue.ts";
import {
  PARSING_JOBS,
  type ParseError,
  ParsingJob,
  ParsingStop,
} from "../contract-jobs.ts";
import type { FilePasswords } from "../../../platform/files/file-passwords.ts";
import type { ParsedResult } from "../parse-file.ts";
import { ParseFailure } from "../parse-run.ts";
import { partsOf } from "../show-result.ts";
import {
  claimJob,
  emptyJob,
  endUnseenJob,
  findJob,
  finishJob,
  insertJob,
  type Outcome,
  releaseJob,
  type StoredJob,
} from "./job-store.ts";
import { keepLease, LEASE_MS } from "./keep-lease.ts";
import { publishOutcome, publishStoredOutcome } from "./publish-outcome.ts";
import { readMessage } from "../../../platform/queue/read-message.ts";
import {
  type JsonPieces,
  objectPieces,
  slices,
  streamPieces,
} from "../../../platform/json/json-pieces.ts";
import { toStoredFailure } from "../../../platform/http/reported-error.ts";

export interface JobDeps {
  db: Database;
  queue: Queue;
  files: Files;
  passwords: FilePasswords;
  /** Parses the file that is stored under a key. */
  parse(
    job: Pick<StoredJob, "storageKey" | "fileName" | "options"> & {
      password?: string | undefined;
      userId?: string | undefined;
    },
    signal: AbortSignal,
    onProgress: (progress: number, message: string) => void,
  ): Promise<ParsedResult>;
}

/** The prefix of the keys of files that were sent over HTTP. */
export const UPLOADS = "parser-uploads/";
/** The most attempts at a job that fails for another reason than its file. */
export const MAX_ATTEMPTS = 5;
const MAX_RESULT_BYTES = 256 * 2 ** 20;

/**
 * Consumes a message of `parsing_jobs`. Idempotent: a finished job publishes its outcome again, and
 * a job of another worker is looked at again when its lease expires. A file that cannot be parsed
 * is an outcome; any other failure is retried.
 */
export async function runJob(deps: JobDeps, delivery: Delivery): Promise<void> {
  const { db, queue } = deps;
  const { attempt, signal } = delivery;
  const message = readMessage(ParsingJob, delivery);
  const { jobId, documentId, userId, fileName, storageKey, options, requester } = message;
  // the job of an upload is stored before its message is sent; a missing one was deleted since
  if (!storageKey.startsWith(UPLOADS))
    await insertJob(db, {
      id: jobId,
      documentId: documentId ?? null,
      ownerId: userId ?? null,
      fileName,
      storageKey,
      ownFiles: false,
      options,
      requester: requester ?? null,
    });
  const worker = uuidv7();
  const claimed = await claimJob(db, jobId, worker, LEASE_MS);
  const job = await findJob(db, jobId);
  if (!job) return;
  if (claimed) return work(deps, job, worker, attempt, signal);
  if (job.status === "completed" || job.status === "failed")
    return publishStoredOutcome(queue, job);
  await queue.publish(PARSING_JOBS, message, { delayMs: LEASE_MS });
}

/** Consumes a message of `parsing_stops`. A worker notices it when it extends its lease. */
export async function stopJob(
  { db }: Pick<JobDeps, "db">,
  delivery: Pick<Delivery, "data">,
): Promise<void> {
  const stop = readMessage(ParsingStop, delivery);
  await endUnseenJob(db, stop.jobId, {
    code: "stopped",
    message: "A user stopped the processing. Process the document again.",
  });
  if (stop.forget) await emptyJob(db, stop.jobId);
}

async function work(
  deps: JobDeps,
  job: StoredJob,
  worker: string,
  attempt: number,
  stopping: AbortSignal,
): Promise<void> {
  const { db, files } = deps;
  const ended = new AbortController();
  const lease = keepLease(deps, job, worker, () => ended.abort());
  const markdownKey = `parsed/${job.id}.md`;
  const signal = AbortSignal.any([stopping, ended.signal]);
  try {
    const outcome = await parseJob(deps, job, signal, lease.report, markdownKey);
    const canRetry = stopping.aborted || attempt < MAX_ATTEMPTS;
    if ("retry" in outcome && !ended.signal.aborted && canRetry) {
      await releaseJob(db, job.id, worker);
      throw outcome.retry;
    }
    const result =
      "retry" in outcome
        ? { status: "failed" as const, error: toParseError(outcome.retry) }
        : outcome;
    const finished = await db.tx(async () => {
      if (!(await finishJob(db, job.id, worker, result))) return false;
      await publishOutcome(deps.queue, job, result);
      return true;
    });
    if (!finished && result.status === "completed")
      await Promise.all([markdownKey, extrasKey(job.id)].map((key) => files.delete(key)));
    if (finished) await deps.passwords.forget(passwordKey(job));
    if (finished && job.ownFiles) await files.delete(job.storageKey);
    if ("retry" in outcome && finished) throw lastFailure(outcome.retry);
  } finally {
    lease.end();
  }
}

/** @returns the outcome, or the error after which the job is to be retried. */
async function parseJob(
  deps: JobDeps,
  job: StoredJob,
  signal: AbortSignal,
  onProgress: (progress: number, message: string) => void,
  markdownKey: string,
): Promise<Outcome | { retry: Error }> {
  try {
    const password = await deps.passwords.find(passwordKey(job));
    signal.throwIfAborted();
    const asked = { ...job, password, userId: job.ownerId ?? undefined };
    const { file, metadata } = await deps.parse(asked, signal, onProgress);
    await writeText(deps.files, markdownKey, slices(file.markdown), signal);
    if (job.ownFiles) await writeExtras(deps.files, job.id, file, signal);
    return { status: "completed", markdownKey, metadata };
  } catch (error) {
    if (error instanceof ApiError && error.status < 499)
      return { status: "failed", error: toParseError(error) };
    return { retry: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** The documents service keeps a password under its document, the parser under its job. */
function passwordKey({ id, documentId, ownFiles }: PasswordOwner): string {
  return ownFiles ? id : (documentId ?? id);
}

type PasswordOwner = Pick<StoredJob, "id" | "documentId" | "ownFiles">;

/** Stores tables and images, which are too large for a column. */
async function writeExtras(
  files: Files,
  jobId: string,
  file: ParsedResult["file"],
  signal: AbortSignal,
): Promise<void> {
  if (!file.tables && !file.images) return;
  await writeText(files, extrasKey(jobId), objectPieces(partsOf(file)), signal);
}

export function extrasKey(jobId: string): string {
  return `parsed/${jobId}.json`;
}

/** For the dead letters: what clients translate, with the words of the log for operators. */
function lastFailure(error: Error): Poison {
  const { code, params } = toParseError(error);
  return new Poison(code, error.message, { params, cause: error });
}

/** Returns what a user may read of an error; an unexpected one is described in general terms. */
function toParseError(error: Error): ParseError {
  if (error instanceof ParseFailure)
    return { ...toStoredFailure(error), trace: error.trace };
  if (error instanceof ApiError) return toStoredFailure(error);
  return {
    code: "parser_failed",
    message:
      "The parser failed unexpectedly. Process the file again; if it fails again, " +
      "ask your administrator to read the parser's log.",
  };
}

async function writeText(
  files: Files,
  key: string,
  pieces: JsonPieces,
  signal: AbortSignal,
): Promise<void> {
  const body = streamPieces(pieces);
  await files.write(key, body, { maxBytes: MAX_RESULT_BYTES, signal });
}
