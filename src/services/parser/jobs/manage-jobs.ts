import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import { Conflict, NotFound, TooManyRequests } from "../../../platform/http/errors.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import {
  markdownKeyOf,
  PARSING_JOBS,
  type ParseOptions,
  type ParsingJob,
} from "../contract-jobs.ts";
import type { FilePasswords } from "../../../platform/files/file-passwords.ts";
import { passwordOf, receiveFile } from "../receive-file.ts";
import {
  countOpenJobs,
  endJob,
  findByIdempotencyKey,
  findJob,
  insertJob,
  removeJob,
  type StoredJob,
  takeOldJobs,
} from "./job-store.ts";
import { extrasKey, UPLOADS } from "./run-job.ts";

interface Deps {
  db: Database;
  queue: Queue;
  files: Files;
  passwords: FilePasswords;
}

interface JobRequest {
  documentId: string | null;
  ownerId: string | null;
  options: ParseOptions;
  idempotencyKey: string | null;
  maxBytes: number;
  signal: AbortSignal;
}

/** Per user, because all users share the queue. */
const MAX_OPEN_JOBS = 50;

/**
 * Stores a file and queues a job that parses it.
 * @throws Conflict `idempotency_key_reused` for a key that was sent with other bytes,
 * TooManyRequests `too_many_jobs`, what `receiveFile` throws.
 */
export async function submitJob(
  { db, queue, files, passwords }: Deps,
  request: Request,
  asked: JobRequest,
): Promise<Pick<StoredJob, "id" | "status">> {
  const { documentId, ownerId, options, idempotencyKey, maxBytes, signal } = asked;
  const id = uuidv7();
  const storageKey = `${UPLOADS}${id}`;
  const password = passwordOf(request);
  try {
    const { fileName, stored } = await receiveFile(request, ({ body }) =>
      files.write(storageKey, body, { maxBytes, signal }),
    );
    const job: ParsingJob = {
      jobId: id,
      ...(documentId !== null && { documentId }),
      ...(ownerId !== null && { userId: ownerId }),
      fileName,
      storageKey,
      options,
    };
    if (password !== undefined) await passwords.keep(id, password, ownerId ?? "");
    const isNew = await db.tx(async () => {
      const row = {
        id,
        documentId,
        ownerId,
        fileName,
        storageKey,
        ownFiles: true,
        options,
        idempotencyKey,
        sha256: stored.sha256,
      };
      const open = ownerId === null ? 0 : await countOpenJobs(db, ownerId);
      if (!(await insertJob(db, row))) return false;
      if (open >= MAX_OPEN_JOBS) throw tooManyJobs();
      await queue.publish(PARSING_JOBS, job, { id });
      return true;
    });
    if (isNew) return { id, status: "queued" };
    await files.delete(storageKey);
    const before =
      idempotencyKey === null
        ? undefined
        : await findByIdempotencyKey(db, ownerId, idempotencyKey);
    if (before?.sha256 === stored.sha256) return before;
    throw new Conflict(
      "idempotency_key_reused",
      "This Idempotency-Key was sent with another file before. Send a new key for a new file.",
    );
  } catch (error) {
    // A file that no job needs costs space; one that a job needs must never be deleted.
    const isNeeded = await findJob(db, id).then(Boolean, () => true);
    if (!isNeeded) await files.delete(storageKey);
    throw error;
  }
}

function tooManyJobs(): TooManyRequests {
  return new TooManyRequests(
    "too_many_jobs",
    `You have ${MAX_OPEN_JOBS} parsing jobs that have not ended. Wait for some, or cancel some.`,
    10_000,
    { params: { max: MAX_OPEN_JOBS } },
  );
}

/** Finds a job for a caller: services see every job, users their own. @throws NotFound. */
export async function jobFor(db: Database, caller: Caller, id: string): Promise<StoredJob> {
  const job = await findJob(db, id);
  if (!job || (caller.kind === "user" && job.ownerId !== caller.userId))
    throw new NotFound(
      "job_not_found",
      "There is no such parsing job. Jobs are deleted a day after they end: send the " +
        "file again.",
    );
  return job;
}

/** Ends a job, or deletes one that has ended. */
export async function cancelJob(
  { db, files }: Pick<Deps, "db" | "files">,
  job: StoredJob,
): Promise<void> {
  const error = {
    code: "cancelled",
    message: "The job was cancelled. Send the file again to parse it.",
  };
  if (await endJob(db, job.id, error)) {
    if (job.ownFiles) await files.delete(job.storageKey);
    return;
  }
  await removeJob(db, job.id);
  await deleteFiles(files, job);
}

const MAX_DELETED = 100;

/** Deletes jobs that ended this long ago. @returns how many. */
export async function deleteOldJobs(
  { db, files }: Pick<Deps, "db" | "files">,
  retentionMs: number,
): Promise<number> {
  const jobs = await takeOldJobs(db, retentionMs, MAX_DELETED);
  await Promise.all(jobs.map((job) => deleteFiles(files, job)));
  return jobs.length;
}

/** The files of document jobs belong to the documents service. */
export async function deleteFiles(
  files: Files,
  { id, ownFiles, storageKey }: StoredJob,
): Promise<void> {
  if (!ownFiles) return;
  await Promise.all(
    [storageKey, markdownKeyOf(id), extrasKey(id)].map((key) => files.delete(key)),
  );
}
