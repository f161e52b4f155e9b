import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import { isExpired, leaseEnd } from "../../platform/lease/row-lease.ts";
import {
  layoutOfType,
  type ParseMetadata,
  type TextLayout,
} from "../parser/contract-jobs.ts";
import type { ProcessingSettings, StoredDocument } from "./contract-stored.ts";
import { IS_DOCUMENT } from "./store.ts";

/** The notification channel of status changes; the payload is the document's id. */
export const CHANGES = "documents_changed";

type Failure = NonNullable<StoredDocument["error"]>;

/** What a processing step needs to know of a document. */
export interface Processable {
  id: string;
  ownerId: string;
  fileName: string;
  storageKey: string;
  markdownKey: string | null;
  folderId: string | null;
  mimeType: string;
  /** What the parser says of its text. */
  layout?: TextLayout | null;
  pages?: number | null;
}
const PROCESSABLE = sql`id, owner_id as "ownerId", file_name as "fileName",
  storage_key as "storageKey", markdown_key as "markdownKey", folder_id as "folderId",
  mime_type as "mimeType", parsing->'layout' as layout, (parsing->>'pages')::int as pages`;

/** What the parts of a document's text are; another system's parser may not say it. */
export function layoutOf({
  layout,
  mimeType,
  pages,
}: Pick<Processable, "layout" | "mimeType" | "pages">): TextLayout {
  return layout ?? layoutOfType(mimeType, pages ?? 1);
}

export async function findProcessable(
  db: Database,
  id: string,
): Promise<Processable | undefined> {
  const [row] = await db.query<Processable>(
    sql`select ${PROCESSABLE} from documents.documents where id = ${id}`,
  );
  return row;
}

/**
 * Stores a new attempt of a document. From now on messages about the former attempt are ignored.
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
      lease_until = ${held ? sql`null` : leaseEnd(leaseMs)}, updated_at = now()
    where id = ${id}`);
  await db.notify(CHANGES, id);
}

/** Counts an owner's documents in progress: those with a lease. */
export async function countInWork(db: Database, ownerId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from documents.documents where owner_id = ${ownerId} and lease_until is not null`);
  return row?.count ?? 0;
}

/** Releases held documents of an owner, the oldest first. */
export async function releaseHeld(
  db: Database,
  ownerId: string,
  limit: number,
  leaseMs: number,
): Promise<Attempt[]> {
  return db.query<Attempt>(sql`update documents.documents
    set held = false, lease_until = ${leaseEnd(leaseMs)}
    where id in (select id from documents.documents
      where owner_id = ${ownerId} and held order by id limit ${limit})
    returning ${PROCESSABLE}, status, job_id as "jobId", restarts`);
}

export async function findHeldOwners(db: Database): Promise<string[]> {
  const rows = await db.query<{ ownerId: string }>(
    sql`select distinct owner_id as "ownerId" from documents.documents where held`,
  );
  return rows.map(({ ownerId }) => ownerId);
}

/** Whether documents are lost, which `lockLost` finds, and whether some wait for their turn. */
export async function findNeglected(
  db: Database,
): Promise<{ areLost: boolean; areHeld: boolean }> {
  const [found] = await db.query<{ areLost: boolean; areHeld: boolean }>(
    sql`select exists (select from documents.documents where ${IS_LOST}) as "areLost",
      exists (select from documents.documents where held) as "areHeld"`,
  );
  return found ?? { areLost: false, areHeld: false };
}

/** Extends the lease of a document that waits for a worker. */
export async function extendWait(db: Database, id: string, leaseMs: number): Promise<void> {
  await db.query(
    sql`update documents.documents set lease_until = ${leaseEnd(leaseMs)} where id = ${id}`,
  );
}

/** Saves the progress of a step and extends its lease. @returns whether the attempt is current. */
export async function saveProgress(
  db: Database,
  {
    documentId,
    jobId,
    stage,
    progress,
  }: {
    documentId: string;
    jobId: string;
    stage: "parsing" | "embedding";
    progress: number;
  },
  leaseMs: number,
): Promise<boolean> {
  const [status, before] =
    stage === "parsing" ? ["PARSING", "UPLOADED"] : ["EMBEDDING", "PARSED"];
  return updateAttempt(
    db,
    documentId,
    jobId,
    [before, status],
    sql`status = ${status}, progress = greatest(progress, ${progress}),
    lease_until = ${leaseEnd(leaseMs)}`,
  );
}

/** Saves the result of parsing; the document waits to be indexed. */
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
  return updateAttempt(
    db,
    documentId,
    jobId,
    ["UPLOADED", "PARSING"],
    sql`status = 'PARSED', progress = 0, markdown_key = ${markdownKey},
    parsing = ${jsonb(metadata)}, lease_until = ${leaseEnd(leaseMs)}`,
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
  return updateAttempt(
    db,
    documentId,
    jobId,
    // FAILED: an administrator may send a message from the dead letters again
    ["PARSED", "EMBEDDING", "FAILED"],
    sql`status = 'PROCESSED', progress = 1, error = null, indexing = ${jsonb(indexing)},
    lease_until = null, restarts = 0`,
  );
}

/** Ends an attempt; later messages about it are ignored. */
export async function saveFailed(
  db: Database,
  documentId: string,
  jobId: string,
  error: Failure,
): Promise<boolean> {
  return updateAttempt(
    db,
    documentId,
    jobId,
    ["UPLOADED", "PARSING", "PARSED", "EMBEDDING"],
    sql`status = 'FAILED', error = ${jsonb(error)},
    lease_until = null`,
  );
}

/** Returns the current attempt, or the last one. */
export async function findAttempt(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ jobId: string | null }>(
    sql`select job_id as "jobId" from documents.documents where id = ${id}`,
  );
  return row?.jobId ?? undefined;
}

/** Ends an attempt in progress because a user stopped it. */
export async function saveStopped(db: Database, id: string): Promise<boolean> {
  const error = sql`jsonb_build_object(
    'stage', case when status in ('UPLOADED', 'PARSING') then 'parsing' else 'embedding' end,
    'code', 'stopped', 'message', 'A user stopped the processing. Process the document again.')`;
  const rows = await db.query(sql`update documents.documents set status = 'FAILED',
      error = ${error}, job_id = null, lease_until = null, held = false, updated_at = now()
    where id = ${id} and status in ('UPLOADED', 'PARSING', 'PARSED', 'EMBEDDING') returning id`);
  if (rows.length > 0) await db.notify(CHANGES, id);
  return rows.length > 0;
}

export async function saveSkipped(db: Database, id: string): Promise<boolean> {
  const rows = await db.query(
    sql`update documents.documents set skipped = true, updated_at = now()
      where id = ${id} and status = 'FAILED' returning id`,
  );
  return rows.length > 0;
}

/** Finds an owner's failed documents except skipped ones, locked until the transaction ends. */
export async function lockFailed(
  db: Database,
  {
    ownerId,
    folderId = null,
    after,
    limit,
  }: {
    ownerId: string;
    folderId?: string | null | undefined;
    after: string;
    limit: number;
  },
): Promise<Processable[]> {
  return db.query<Processable>(sql`select ${PROCESSABLE} from documents.documents
    where owner_id = ${ownerId} and status = 'FAILED' and not skipped and id > ${after}
      and ${IS_DOCUMENT} and (${folderId}::uuid is null or folder_id = ${folderId})
    order by id limit ${limit} for update skip locked`);
}

/** A document with its current attempt. */
export interface Attempt extends Processable {
  status: StoredDocument["status"];
  jobId: string;
  restarts: number;
}

/** Those whose lease has expired. */
const IS_LOST = sql`${isExpired(sql`lease_until`)}
  and status in ('UPLOADED', 'PARSING', 'PARSED', 'EMBEDDING') and job_id is not null`;

/** Finds documents whose lease has expired, locked until the transaction ends. */
export async function lockLost(db: Database, limit: number): Promise<Attempt[]> {
  return db.query<Attempt>(sql`select ${PROCESSABLE}, status, job_id as "jobId", restarts
    from documents.documents
    where ${IS_LOST}
    order by lease_until limit ${limit} for update skip locked`);
}

/** Returns a folder's settings; a missing one comes from the nearest ancestor that has it. */
export async function findSettings(
  db: Database,
  folderId: string | null,
): Promise<ProcessingSettings> {
  if (folderId === null) return {};
  const rows = await db.query<{ settings: ProcessingSettings }>(sql`with recursive path as (
      select id, parent_id, settings, 1 as depth from documents.folders where id = ${folderId}
      union all
      select f.id, f.parent_id, f.settings, p.depth + 1
      from documents.folders f join path p on f.id = p.parent_id where p.depth < 100)
    select settings from path order by depth desc`);
  // each was validated when it was stored
  return Object.assign({}, ...rows.map(({ settings }) => settings)) as ProcessingSettings;
}

/**
 * Updates a document when the attempt is current and the status is one of `from`.
 * @returns whether it was updated.
 */
async function updateAttempt(
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
