import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { isExpired, leaseEnd } from "../../../platform/lease/row-lease.ts";
import type { JobStatus } from "../contract.ts";
import type { ParseError, ParseMetadata, ParseOptions } from "../contract-jobs.ts";

export interface NewJob {
  id: string;
  documentId: string | null;
  ownerId: string | null;
  fileName: string;
  storageKey: string;
  /** The job was started over HTTP: the parser deletes its file and its result. */
  ownFiles: boolean;
  options: ParseOptions;
  /** The system that sent the job; null for a job started over HTTP. */
  requester?: string | null;
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

const JOBS_PER_BATCH = 100;
const COLUMNS = sql`id, document_id as "documentId", owner_id as "ownerId", file_name as "fileName", storage_key as "storageKey",
  own_files as "ownFiles", requester, options, status, progress, markdown_key as "markdownKey", metadata, error, sha256,
  idempotency_key as "idempotencyKey", created_at as "createdAt", updated_at as "updatedAt"`;

/** Stores a job. @returns false when its id, or the owner's idempotency key, is stored already. */
export async function insertJob(db: Database, job: NewJob): Promise<boolean> {
  const rows = await db.query(sql`insert into parser.jobs
    (id, document_id, owner_id, file_name, storage_key, own_files, requester, options, idempotency_key,
      sha256)
    values (${job.id}, ${job.documentId}, ${job.ownerId}, ${job.fileName}, ${job.storageKey}, ${job.ownFiles}, ${job.requester ?? null},
      ${jsonb(job.options)}, ${job.idempotencyKey ?? null}, ${job.sha256 ?? null}) on conflict do nothing returning id`);
  return rows.length > 0;
}

/**
 * Counts a user's own jobs that have not ended. Locks the count until the transaction ends, so that
 * no other transaction inserts a job of this user.
 */
export async function countOpenJobs(db: Database, ownerId: string): Promise<number> {
  await lockKeys(db, [`parsing jobs of ${ownerId}`]);
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from parser.jobs where owner_id = ${ownerId} and own_files
      and status in ('queued', 'processing')`);
  return row?.count ?? 0;
}

export async function findJob(db: Database, id: string): Promise<StoredJob | undefined> {
  const [row] = await db.query<StoredJob>(
    sql`select ${COLUMNS} from parser.jobs where id = ${id}`,
  );
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

/** Takes a job. @returns false when it has ended, or another worker has a lease on it. */
export async function claimJob(
  db: Database,
  id: string,
  worker: string,
  leaseMs: number,
): Promise<boolean> {
  const rows =
    await db.query(sql`update parser.jobs set status = 'processing', worker = ${worker}, progress = 0,
    lease_until = ${leaseEnd(leaseMs)}, updated_at = now()
    where id = ${id} and (status = 'queued' or (status = 'processing' and ${isExpired(sql`lease_until`)})) returning id`);
  return rows.length > 0;
}

/** Extends a lease. @returns false when the job has ended, or another worker has taken it. */
export async function extendLease(
  db: Database,
  id: string,
  worker: string,
  leaseMs: number,
  progress: number,
): Promise<boolean> {
  const rows =
    await db.query(sql`update parser.jobs set progress = greatest(progress, ${progress}),
    lease_until = ${leaseEnd(leaseMs)}, updated_at = now()
    where id = ${id} and worker = ${worker} and status = 'processing' returning id`);
  return rows.length > 0;
}

/** Releases a job for another attempt. */
export async function releaseJob(db: Database, id: string, worker: string): Promise<void> {
  await db.query(sql`update parser.jobs set status = 'queued', worker = null, lease_until = null, updated_at = now()
    where id = ${id} and worker = ${worker} and status = 'processing'`);
}

export type Outcome =
  | {
      status: "completed";
      markdownKey: string;
      metadata: NonNullable<StoredJob["metadata"]>;
    }
  | { status: "failed"; error: ParseError };

/** Saves an outcome. @returns false when the job has ended, or another worker has taken it. */
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
 * Ends a job that has not ended; its worker notices it when it extends its lease.
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

/** The same for a job whose message may not have arrived yet: the message then has no effect. */
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
 * Deletes what a job says about its document, which was deleted. The id stays for a while, because
 * the message may be delivered again.
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

/** Lists a user's jobs after an id, in the order of their creation. Index: `jobs_by_owner`. */
export async function listJobsOf(
  db: Database,
  ownerId: string,
  after: string | undefined,
  limit: number,
): Promise<StoredJob[]> {
  return db.query<StoredJob>(sql`select ${COLUMNS} from parser.jobs where owner_id = ${ownerId}
    and id > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid order by id limit ${limit}`);
}

/**
 * Takes the owner from some jobs of documents, because the documents may be transferred to another
 * user. @returns how many.
 */
export async function disownJobsOf(db: Database, ownerId: string): Promise<number> {
  const rows = await db.query(sql`update parser.jobs set owner_id = null where id in (
    select id from parser.jobs where owner_id = ${ownerId} and not own_files
    limit ${JOBS_PER_BATCH}) returning 1`);
  return rows.length;
}

/** Some of a user's own jobs. */
export function findJobsOf(db: Database, ownerId: string): Promise<StoredJob[]> {
  return db.query<StoredJob>(sql`select ${COLUMNS} from parser.jobs
    where owner_id = ${ownerId} and own_files limit ${JOBS_PER_BATCH}`);
}

export async function deleteJobs(db: Database, ids: readonly string[]): Promise<void> {
  await db.query(sql`delete from parser.jobs where id = any(${[...ids]}::uuid[])`);
}

/**
 * Deletes jobs that ended this long ago, or that have waited seven times as long, and returns them,
 * so that their files can be deleted.
 */
export async function takeOldJobs(
  db: Database,
  retentionMs: number,
  limit: number,
): Promise<StoredJob[]> {
  return db.query<StoredJob>(sql`delete from parser.jobs where id in (select id from parser.jobs
    where updated_at < now() - ${retentionMs} * interval '1 millisecond'
      and (status in ('completed', 'failed') or updated_at < now() - ${retentionMs * 7} * interval '1 millisecond') order by updated_at limit ${limit} for update skip locked)
    returning ${COLUMNS}`);
}
