import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { type Delivery, Poison, type Queue } from "../../../platform/queue/queue.ts";
import { JOB_REQUESTER } from "../../documents/contract-processing.ts";
import {
  markdownKeyOf,
  PARSING_JOBS,
  type ParseError,
  ParsingJob,
  ParsingStop,
} from "../contract-jobs.ts";
import type { FilePasswords } from "../../../platform/files/file-passwords.ts";
import { withFurniture } from "../pages.ts";
import type { ParsedResult } from "../parse-file.ts";
import { ParseFailure } from "../parsing.ts";
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
  extendLease,
} from "./job-store.ts";
import {
  publishOutcome,
  publishStoredOutcome,
  publishProgress,
} from "./publish-outcome.ts";
import { readMessage } from "../../../platform/queue/message.ts";
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
  /**
   * The jobs that this process works on. It takes none of them again, also when its lease looks
   * expired after a pause.
   */
  running: Set<string>;
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
/** Keys of files that other systems store for the parser. No service of ours writes there. */
const SHARED_FILE = /^shared\/[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const MAX_RESULT_BYTES = 256 * 2 ** 20;

/**
 * Consumes a message of `parsing_jobs`. Idempotent: a finished job publishes its outcome again, and
 * a job of another worker is looked at again when its lease expires. A file that cannot be parsed
 * is an outcome; any other failure is retried.
 */
export async function runJob(deps: JobDeps, delivery: Delivery): Promise<void> {
  const { db, queue } = deps;
  const { attempt, signal } = delivery;
  const message = toPermitted(readMessage(ParsingJob, delivery), delivery);
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
  const claimed = !deps.running.has(jobId) && (await claimJob(db, jobId, worker, LEASE_MS));
  const job = await findJob(db, jobId);
  if (!job) return;
  if (claimed) return work(deps, job, worker, attempt, signal);
  if (job.status === "completed" || job.status === "failed") {
    await publishStoredOutcome(queue, job);
    return dropInput(deps, job);
  }
  await queue.publish(PARSING_JOBS, message, { delayMs: LEASE_MS });
}

/**
 * What a job may do. That of another system reads files that were stored for it, acts for no user
 * and for no document of ours: otherwise whoever may publish could read anybody's files.
 * @throws Poison `message_unsigned`.
 */
function toPermitted(job: ParsingJob, { isOwn }: Pick<Delivery, "isOwn">): ParsingJob {
  if (isOwn && !job.foreign) return job;
  if (!SHARED_FILE.test(job.storageKey))
    throw new Poison(
      "message_unsigned",
      "The message has no signature of this installation, so it may name files under shared/ alone. Store the file there, or sign the message with SERVICE_SECRET.",
    );
  const { userId: _, requester, ...rest } = job;
  const named = requester === JOB_REQUESTER ? {} : { requester };
  return { ...rest, ...named, foreign: true };
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
  const markdownKey = markdownKeyOf(job.id);
  const signal = AbortSignal.any([stopping, ended.signal]);
  deps.running.add(job.id);
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
    if (finished) await dropInput(deps, job);
    if ("retry" in outcome && finished) throw lastFailure(outcome.retry);
  } finally {
    deps.running.delete(job.id);
    lease.end();
  }
}

/** Deletes what an ended job was given. A worker that was killed before leaves it to the next. */
async function dropInput({ passwords, files }: JobDeps, job: StoredJob): Promise<void> {
  await passwords.forget(passwordKey(job));
  if (job.ownFiles) await files.delete(job.storageKey);
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
    // a file that was only sent to be converted is returned as it was read
    const markdown = job.ownFiles ? file.markdown : withFurniture(file);
    await writeText(deps.files, markdownKey, slices(markdown), signal);
    if (job.ownFiles) await writeExtras(deps.files, job.id, file, signal);
    return { status: "completed", markdownKey, metadata };
  } catch (error) {
    if (error instanceof ApiError && error.status < 499)
      return { status: "failed", error: toParseError(error) };
    return { retry: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** The documents service keeps a password under its document, the parser under its job. */
function passwordKey({ id, documentId, requester }: PasswordOwner): string {
  return requester === JOB_REQUESTER && documentId !== null ? documentId : id;
}

type PasswordOwner = Pick<StoredJob, "id" | "documentId" | "requester">;

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

const LEASE_MS = 30_000;
/** How often a worker extends the lease, and checks whether its job is still wanted. */
const EXTEND_INTERVAL_MS = 2_000;
/** Progress is published at least and at most this often. */
const MAX_PUBLISH_INTERVAL_MS = 30_000;
const MIN_PUBLISH_INTERVAL_MS = 1_000;

/**
 * Extends the lease of a job and publishes its progress until `end` is called.
 * @param onLost is called when the job was ended, or another worker has taken it.
 */
function keepLease(
  { db, queue }: { db: Database; queue: Queue },
  job: StoredJob,
  worker: string,
  onLost: () => void,
) {
  let progress = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;
  const publish = (message?: string) => {
    publishedAt = performance.now();
    publishProgress(queue, job, progress, message);
  };
  const timer = setInterval(() => {
    extendLease(db, job.id, worker, LEASE_MS, progress).then(
      (extended) => !extended && onLost(),
      () => {}, // the lease is long enough for a short outage of the database
    );
    if (performance.now() - publishedAt > MAX_PUBLISH_INTERVAL_MS) publish();
  }, EXTEND_INTERVAL_MS).unref();
  return {
    report(share: number, message: string) {
      progress = share;
      if (performance.now() - publishedAt > MIN_PUBLISH_INTERVAL_MS) publish(message);
    },
    end: () => clearInterval(timer),
  };
}
