import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { ParseMetadata } from "../parser/contract-jobs.ts";
import type { ProcessingSettings, StoredDocument } from "./contract.ts";

/** Whoever reads along listens here; the payload is the document's id. */
export const CHANGES = "documents_changed";

type Failure = NonNullable<StoredDocument["error"]>;

/** A document as it waits for its next step. */
export interface Waiting {
  id: string;
  ownerId: string;
  fileName: string;
  storageKey: string;
  markdownKey: string | null;
  folderId: string | null;
}
const WAITING = sql`id, owner_id as "ownerId", file_name as "fileName", storage_key as "storageKey", markdown_key as "markdownKey", folder_id as "folderId"`;

export async function findWaiting(db: Database, id: string): Promise<Waiting | undefined> {
  const [row] = await db.query<Waiting>(
    sql`select ${WAITING} from documents.documents where id = ${id}`,
  );
  return row;
}

/**
 * The document waits for a new attempt, or is in one: from now on messages of the former one are of
 * no interest.
 */
export async function beginAttempt(
  db: Database,
  id: string,
  attempt: {
    jobId: string;
    status: "UPLOADED" | "PARSED" | "EMBEDDING";
    leaseMs: number;
    restarts: number;
    held?: boolean;
  },
): Promise<void> {
  const { jobId, status, leaseMs, restarts, held = false } = attempt;
  await db.query(sql`update documents.documents set job_id = ${jobId}, status = ${status},
      error = null, skipped = false, progress = 0, restarts = ${restarts}, held = ${held},
      lease_until = ${held ? sql`null` : inMs(leaseMs)}, updated_at = now()
    where id = ${id}`);
  await db.notify(CHANGES, id);
}

/** How many of an owner's documents were sent and have not ended: those with a lease. */
export async function countInWork(db: Database, ownerId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from documents.documents where owner_id = ${ownerId} and lease_until is not null`);
  return row?.count ?? 0;
}

/** Held documents of an owner, the oldest first, as sent from now on. */
export async function takeHeld(
  db: Database,
  ownerId: string,
  most: number,
  leaseMs: number,
): Promise<Lost[]> {
  return db.query<Lost>(sql`update documents.documents
    set held = false, lease_until = ${inMs(leaseMs)}
    where id in (select id from documents.documents
      where owner_id = ${ownerId} and held order by id limit ${most})
    returning ${WAITING}, status, job_id as "jobId", restarts`);
}

export async function findHeldOwners(db: Database): Promise<string[]> {
  const rows = await db.query<{ ownerId: string }>(
    sql`select distinct owner_id as "ownerId" from documents.documents where held`,
  );
  return rows.map(({ ownerId }) => ownerId);
}

/** One that waits is still waited for. */
export async function extendWait(db: Database, id: string, leaseMs: number): Promise<void> {
  await db.query(
    sql`update documents.documents set lease_until = ${inMs(leaseMs)} where id = ${id}`,
  );
}

/** A sign of life of a step. @returns whether it is of interest. */
export async function saveProgress(
  db: Database,
  {
    documentId,
    jobId,
    stage,
    progress,
  }: { documentId: string; jobId: string; stage: "parsing" | "embedding"; progress: number },
  leaseMs: number,
): Promise<boolean> {
  const [status, before] = stage === "parsing" ? ["PARSING", "UPLOADED"] : ["EMBEDDING", "PARSED"];
  return changed(
    db,
    documentId,
    jobId,
    [before, status],
    sql`status = ${status}, progress = greatest(progress, ${progress}),
    lease_until = ${inMs(leaseMs)}`,
  );
}

/** The markdown is there; the document waits to be indexed. */
export async function saveParsed(
  db: Database,
  {
    documentId,
    jobId,
    markdownKey,
    metadata,
  }: { documentId: string; jobId: string; markdownKey: string; metadata: ParseMetadata },
  leaseMs: number,
): Promise<boolean> {
  return changed(
    db,
    documentId,
    jobId,
    ["UPLOADED", "PARSING"],
    sql`status = 'PARSED', progress = 0, markdown_key = ${markdownKey},
    parsing = ${jsonb(metadata)}, lease_until = ${inMs(leaseMs)}`,
  );
}

export async function saveProcessed(
  db: Database,
  {
    documentId,
    jobId,
    ...indexing
  }: { documentId: string; jobId: string } & NonNullable<StoredDocument["indexing"]>,
): Promise<boolean> {
  return changed(
    db,
    documentId,
    jobId,
    // failed: its message was taken out of the dead letters
    ["PARSED", "EMBEDDING", "FAILED"],
    sql`status = 'PROCESSED', progress = 1, error = null, indexing = ${jsonb(indexing)},
    lease_until = null, restarts = 0`,
  );
}

/** Ends an attempt; what is still heard of it is of no interest. */
export async function saveFailed(
  db: Database,
  documentId: string,
  jobId: string,
  error: Failure,
): Promise<boolean> {
  return changed(
    db,
    documentId,
    jobId,
    ["UPLOADED", "PARSING", "PARSED", "EMBEDDING"],
    sql`status = 'FAILED', error = ${jsonb(error)},
    lease_until = null`,
  );
}

/** The attempt that is in work or was the last. */
export async function findAttempt(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ jobId: string | null }>(
    sql`select job_id as "jobId" from documents.documents where id = ${id}`,
  );
  return row?.jobId ?? undefined;
}

/** One that is in work, stopped by somebody. */
export async function saveStopped(db: Database, id: string): Promise<boolean> {
  const error = sql`jsonb_build_object('stage', case when status in ('UPLOADED', 'PARSING') then 'parsing' else 'embedding' end,
    'code', 'stopped', 'message', 'Somebody stopped it. Process it again when you want it.')`;
  const rows =
    await db.query(sql`update documents.documents set status = 'FAILED', error = ${error}, job_id = null, lease_until = null, held = false, updated_at = now()
    where id = ${id} and status in ('UPLOADED', 'PARSING', 'PARSED', 'EMBEDDING') returning id`);
  if (rows.length > 0) await db.notify(CHANGES, id);
  return rows.length > 0;
}

export async function saveSkipped(db: Database, id: string): Promise<boolean> {
  const rows = await db.query(
    sql`update documents.documents set skipped = true, updated_at = now() where id = ${id} and status = 'FAILED' returning id`,
  );
  return rows.length > 0;
}

/** Failed ones of an owner that are not left as they are, each once however many ask. */
export async function takeFailed(
  db: Database,
  ownerId: string,
  folderId: string | undefined,
  most: number,
): Promise<Waiting[]> {
  return db.query<Waiting>(sql`select ${WAITING} from documents.documents where owner_id = ${ownerId} and status = 'FAILED' and not skipped
    and (${folderId ?? null}::uuid is null or folder_id = ${folderId ?? null}) order by id limit ${most} for update skip locked`);
}

export interface Lost extends Waiting {
  status: StoredDocument["status"];
  jobId: string;
  restarts: number;
}

/** Those whose lease is over, locked until the transaction ends. */
export async function takeLost(db: Database, most: number): Promise<Lost[]> {
  return db.query<Lost>(sql`select ${WAITING}, status, job_id as "jobId", restarts from documents.documents
    where lease_until < now() and status in ('UPLOADED', 'PARSING', 'PARSED', 'EMBEDDING') and job_id is not null order by lease_until limit ${most} for update skip locked`);
}

/** What the folder says of its files, and where it is silent those around it, the nearest first. */
export async function settingsOf(
  db: Database,
  folderId: string | null,
): Promise<ProcessingSettings> {
  if (folderId === null) return {};
  const rows = await db.query<{ settings: ProcessingSettings }>(sql`with recursive path as (
      select id, parent_id, settings, 1 as depth from documents.folders where id = ${folderId}
      union all
      select f.id, f.parent_id, f.settings, p.depth + 1 from documents.folders f join path p on f.id = p.parent_id where p.depth < 100)
    select settings from path order by depth desc`);
  return Object.assign({}, ...rows.map(({ settings }) => settings)) as ProcessingSettings; // each was validated when it was stored
}

async function changed(
  db: Database,
  id: string,
  jobId: string,
  from: readonly string[],
  set: Sql,
): Promise<boolean> {
  const rows = await db.query(sql`update documents.documents set ${set}, updated_at = now()
    where id = ${id} and job_id = ${jobId} and status = any(${[...from]}::text[]) returning id`);
  if (rows.length > 0) await db.notify(CHANGES, id);
  return rows.length > 0;
}

function inMs(ms: number): Sql {
  return sql`now() + ${ms} * interval '1 millisecond'`;
}
