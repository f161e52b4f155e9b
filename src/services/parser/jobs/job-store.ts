import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { JobStatus } from "../contract.ts";
import type { ParseError, ParseMetadata, ParseOptions } from "../contract-jobs.ts";

export interface NewJob {
  id: string;
  documentId: string | null;
  ownerId: string | null;
  fileName: string;
  storageKey: string;
  /** Asked for over HTTP: bytes and result are ours to delete. */
  ownFiles: boolean;
  options: ParseOptions;
  idempotencyKey?: string | null;
  sha256?: string | null;
}

export interface StoredJob extends NewJob {
  status: JobStatus;
  progress: number;
  markdownKey: string | null;
  metadata: (ParseMetadata & { fileName: string; mimeType: string }) | null;
  error: ParseError | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`id, document_id as "documentId", owner_id as "ownerId", file_name as "fileName", storage_key as "storageKey",
  own_files as "ownFiles", options, status, progress, markdown_key as "markdownKey", metadata, error, sha256,
  idempotency_key as "idempotencyKey", created_at as "createdAt", updated_at as "updatedAt"`;

/** @returns whether it was new; neither an id nor an owner's idempotency key is there twice. */
export async function insertJob(db: Database, job: NewJob): Promise<boolean> {
  const rows = await db.query(sql`insert into parser.jobs
    (id, document_id, owner_id, file_name, storage_key, own_files, options, idempotency_key, sha256)
    values (${job.id}, ${job.documentId}, ${job.ownerId}, ${job.fileName}, ${job.storageKey}, ${job.ownFiles}, ${jsonb(job.options)},
      ${job.idempotencyKey ?? null}, ${job.sha256 ?? null}) on conflict do nothing returning id`);
  return rows.length > 0;
}

/**
 * How many of a user's own jobs have not ended. Until the transaction ends nobody else inserts one
 * for this user.
 */
export async function countOpenJobs(db: Database, ownerId: string): Promise<number> {
  const key = `parsing jobs of ${ownerId}`;
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from parser.jobs where owner_id = ${ownerId} and own_files
      and status in ('queued', 'processing')`);
  return row?.count ?? 0;
}

export async function findJob(db: Database, id: string): Promise<StoredJob | undefined> {
  const [row] = await db.query<StoredJob>(sql`select ${COLUMNS} from parser.jobs where id = ${id}`);
  return row;
}

export async function findByIdempotencyKey(
  db: Database,
  ownerId: string | null,
  key: string,
): Promise<StoredJob | undefined> {
  const [row] = await db.query<StoredJob>(
    sql`select ${COLUMNS} from parser.jobs where coalesce(owner_id, '') = ${ownerId ?? ""} and idempotency_key = ${key}`,
  );
  return row;
}

/** Takes a job that nobody has in hand. @returns false when it is done or another lives on it. */
export async function claimJob(
  db: Database,
  id: string,
  worker: string,
  leaseMs: number,
): Promise<boolean> {
  const rows =
    await db.query(sql`update parser.jobs set status = 'processing', worker = ${worker}, progress = 0,
    lease_until = now() + ${leaseMs} * interval '1 millisecond', updated_at = now()
    where id = ${id} and (status = 'queued' or (status = 'processing' and lease_until < now())) returning id`);
  return rows.length > 0;
}

/** A sign of life. @returns false when the job was ended, or is another's by now. */
export async function keepJob(
  db: Database,
  id: string,
  worker: string,
  leaseMs: number,
  progress: number,
): Promise<boolean> {
  const rows = await db.query(sql`update parser.jobs set progress = greatest(progress, ${progress}),
    lease_until = now() + ${leaseMs} * interval '1 millisecond', updated_at = now()
    where id = ${id} and worker = ${worker} and status = 'processing' returning id`);
  return rows.length > 0;
}

/** Gives it back for another try. */
export async function releaseJob(db: Database, id: string, worker: string): Promise<void> {
  await db.query(sql`update parser.jobs set status = 'queued', worker = null, lease_until = null, updated_at = now()
    where id = ${id} and worker = ${worker} and status = 'processing'`);
}

export type Outcome =
  | { status: "completed"; markdownKey: string; metadata: NonNullable<StoredJob["metadata"]> }
  | { status: "failed"; error: ParseError };

/**
 * @returns false when the job was ended, or is another's by now: then this outcome is of no
 * interest.
 */
export async function finishJob(
  db: Database,
  id: string,
  worker: string,
  outcome: Outcome,
): Promise<boolean> {
  const set =
    outcome.status === "completed"
      ? sql`status = 'completed', progress = 1, markdown_key = ${outcome.markdownKey}, metadata = ${jsonb(outcome.metadata)}`
      : sql`status = 'failed', error = ${jsonb(outcome.error)}`;
  const rows =
    await db.query(sql`update parser.jobs set ${set}, worker = null, lease_until = null, updated_at = now()
    where id = ${id} and worker = ${worker} and status = 'processing' returning id`);
  return rows.length > 0;
}

/**
 * Ends a job that waits or is in work; its worker sees it at its next sign of life.
 * @returns whether there was one.
 */
export async function endJob(
  db: Database,
  id: string,
  error: { code: string; message: string },
): Promise<boolean> {
  const rows =
    await db.query(sql`update parser.jobs set status = 'failed', error = ${jsonb(error)}, worker = null, lease_until = null,
    updated_at = now() where id = ${id} and status in ('queued', 'processing') returning id`);
  return rows.length > 0;
}

/** The same for one of which the message may still be on its way: then it finds its job ended. */
export async function endUnseenJob(
  db: Database,
  id: string,
  error: { code: string; message: string },
): Promise<void> {
  await db.query(sql`insert into parser.jobs (id, file_name, storage_key, own_files, options, status, error)
    values (${id}, '', '', false, '{}', 'failed', ${jsonb(error)}) on conflict (id) do update
    set status = 'failed', error = excluded.error, worker = null, lease_until = null, updated_at = now()
    where parser.jobs.status in ('queued', 'processing')`);
}

/**
 * Takes out what a job tells of its document, which is gone. Its id stays until it is old: its
 * message may come once more.
 */
export async function emptyJob(db: Database, id: string): Promise<void> {
  await db.query(sql`update parser.jobs set status = 'failed', file_name = '', storage_key = '', document_id = null, owner_id = null,
    markdown_key = null, metadata = null, error = ${jsonb({ code: "deleted", message: "The document was deleted." })}
    where id = ${id} and not own_files`);
}

export async function removeJob(db: Database, id: string): Promise<void> {
  await db.query(
    sql`delete from parser.jobs where id = ${id} and status in ('completed', 'failed')`,
  );
}

/**
 * A user's jobs after the one of this id, in the order in which they came. Served by
 * `jobs_by_owner`.
 */
export async function listJobsOf(
  db: Database,
  ownerId: string,
  after: string | undefined,
  most: number,
): Promise<StoredJob[]> {
  return db.query<StoredJob>(sql`select ${COLUMNS} from parser.jobs where owner_id = ${ownerId}
    and id > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid order by id limit ${most}`);
}

/**
 * A user's own jobs, taken out; their files are still to be deleted. Those of documents are
 * nobody's from now on: the documents may be an heir's.
 */
export async function takeJobsOf(db: Database, ownerId: string): Promise<StoredJob[]> {
  return db.tx(async () => {
    await db.query(
      sql`update parser.jobs set owner_id = null where owner_id = ${ownerId} and not own_files`,
    );
    return db.query<StoredJob>(
      sql`delete from parser.jobs where owner_id = ${ownerId} returning ${COLUMNS}`,
    );
  });
}

/**
 * Jobs that have been done for so long, taken out, and those that waited seven times as long; their
 * files are still to be deleted.
 */
export async function takeOldJobs(
  db: Database,
  keptMs: number,
  most: number,
): Promise<StoredJob[]> {
  return db.query<StoredJob>(sql`delete from parser.jobs where id in (select id from parser.jobs
    where updated_at < now() - ${keptMs} * interval '1 millisecond'
      and (status in ('completed', 'failed') or updated_at < now() - ${keptMs * 7} * interval '1 millisecond') order by updated_at limit ${most} for update skip locked)
    returning ${COLUMNS}`);
}
