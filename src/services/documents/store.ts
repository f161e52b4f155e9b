import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { lockKeys } from "../../platform/db/lock-keys.ts";
import { SEEN_IMAGES } from "../completion/contract-model-kinds.ts";
import {
  type DocumentSort,
  DocumentStatus,
  type StoredDocument,
} from "./contract-stored.ts";

interface Row extends Omit<StoredDocument, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

/** Their chunks and vectors go with them. */
const DOCUMENTS_PER_BATCH = 20;
const COLUMNS = sql`id, file_name as "fileName", mime_type as "mimeType", size::float8 as size,
  sha256, folder_id as "folderId", owner_id as "ownerId",
  coalesce(purpose = 'attachment', false) as "isAttachment", status, error, progress, skipped,
  parsing #- '{layout,lines}' #- '{layout,names}' as parsing, indexing, created_at as "createdAt", updated_at as "updatedAt"`;

export async function findDocuments(
  db: Database,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from documents.documents where id in (${join([...ids])})`,
  );
  return ids.flatMap((id) => rows.filter((row) => row.id === id).map(toDocument));
}

/**
 * Finds an owner's oldest document with these bytes: in the folder or, without one, anywhere. Not a
 * file of an API client, which the client may delete.
 */
export async function findByContent(
  db: Database,
  { ownerId, sha256, folderId }: Pick<NewDocument, "ownerId" | "sha256" | "folderId">,
): Promise<StoredDocument | undefined> {
  const [row] = await db.query<Row>(sql`select ${COLUMNS} from documents.documents
    where owner_id = ${ownerId} and sha256 = ${sha256} and purpose is null
      and (${folderId}::uuid is null or folder_id = ${folderId}) order by id limit 1`);
  return row && toDocument(row);
}

/** Finds the key under which an owner has stored these bytes. */
export async function findStorageKey(
  db: Database,
  { ownerId, sha256 }: Pick<NewDocument, "ownerId" | "sha256">,
): Promise<string | undefined> {
  const [row] = await db.query<{ key: string }>(sql`select storage_key as key
    from documents.documents where owner_id = ${ownerId} and sha256 = ${sha256}
    order by id limit 1`);
  return row?.key;
}

/** Returns those of the keys under which a document is stored. */
export async function findUsedKeys(
  db: Database,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(sql`select distinct storage_key as key
    from documents.documents where storage_key = any(${[...keys]}::text[])`);
  return new Set(rows.map(({ key }) => key));
}

interface Filter {
  visible?: Visible;
  /** Only what this owner gave to conversations. */
  attachmentsOf?: string;
  folderId?: string | undefined;
  status?: StoredDocument["status"] | undefined;
  skipped?: boolean | undefined;
  query?: string | undefined;
}

/**
 * The documents of this owner, those that others shared, and these of the owner's attachments,
 * which belong to where they were given.
 */
interface Visible {
  ownerId: string;
  shared: readonly string[];
  attachments?: readonly string[] | undefined;
}

interface Order {
  sort: DocumentSort;
  /** Default: the last changed and the largest first, else ascending. */
  order?: "asc" | "desc" | undefined;
}

const SORTS: Record<DocumentSort, { key: Sql; first: "asc" | "desc" }> = {
  fileName: { key: sql`folded_name`, first: "asc" },
  size: { key: sql`size`, first: "desc" },
  status: {
    key: sql`array_position(${DocumentStatus.options}::text[], status)`,
    first: "asc",
  },
  updatedAt: { key: sql`updated_at`, first: "desc" },
};

export async function listDocuments(
  db: Database,
  { visible, attachmentsOf, ...filter }: Filter,
  { sort, order = SORTS[sort].first }: Order,
  limit: number,
  offset: number,
): Promise<{ items: StoredDocument[]; total: number }> {
  const { key } = SORTS[sort];
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  // each source is read in the order of its index: the condition "own or shared" has none
  const sources = visible
    ? visibleSources(visible)
    : [attachmentsOf === undefined ? sql`true` : ownAttachments(attachmentsOf)];
  const narrowed = sources.map((source) =>
    join([source, ...conditionsOf(filter)], " and "),
  );
  const firstOf = (where: Sql) => sql`(select id, ${key} as key from documents.documents
    where ${where} order by key ${direction}, id ${direction} limit ${limit + offset})`;
  const found = await db.query<{ id: string }>(sql`
    select id from (${join(narrowed.map(firstOf), " union all ")}) as first
    order by key ${direction}, id ${direction} limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from documents.documents
    where (${join(narrowed, ") or (")})`);
  // the columns, some of them long, of these only
  const items = await findDocuments(
    db,
    found.map(({ id }) => id),
  );
  return { items, total: count?.total ?? 0 };
}

/** Conditions of which a document fulfils at most one. */
function visibleSources({ ownerId, shared, attachments = [] }: Visible): Sql[] {
  const sources = [sql`owner_id = ${ownerId} and ${IS_DOCUMENT}`];
  if (shared.length > 0)
    sources.push(sql`id = any (${[...shared]}::uuid[]) and owner_id <> ${ownerId}`);
  if (attachments.length > 0)
    sources.push(
      sql`id = any (${[...attachments]}::uuid[]) and ${ownAttachments(ownerId)}`,
    );
  return sources;
}

/** The purpose of what was given to a conversation or a form. */
export const ATTACHMENT = "attachment";

/** Attachments are no documents of their owner. */
export const IS_DOCUMENT = sql`purpose is distinct from 'attachment'`;

function ownAttachments(ownerId: string): Sql {
  return sql`owner_id = ${ownerId} and purpose = 'attachment'`;
}

function conditionsOf(filter: Omit<Filter, "visible">): Sql[] {
  const { folderId, status, skipped, query } = filter;
  const conditions: Sql[] = [];
  if (folderId !== undefined) conditions.push(sql`folder_id = ${folderId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (skipped !== undefined) conditions.push(sql`skipped = ${skipped}`);
  if (query !== undefined)
    conditions.push(sql`strpos(folded_name, documents.fold_text(${query})) > 0`);
  return conditions;
}

/** Beyond these a user's other tables are not offered. */
const MAX_TYPED = 100;

/** Documents of these media types and files of lines of JSON, the last changed first. */
export async function listTypes(
  db: Database,
  types: readonly string[],
  { ids, visible }: { ids?: readonly string[]; visible?: Visible },
): Promise<StoredDocument[]> {
  const conditions: Sql[] = [];
  if (ids) conditions.push(sql`id = any (${[...ids]}::uuid[])`);
  if (visible) conditions.push(sql`((${join(visibleSources(visible), ") or (")}))`);
  const rows = await db.query<Row>(sql`select ${COLUMNS} from documents.documents
    where (mime_type = any (${[...types]}::text[])
        or (mime_type = 'application/json' and file_name ~* '\\.(jsonl|ndjson)$'))
      and ${join(conditions, " and ")}
    order by updated_at desc, id desc limit ${MAX_TYPED}`);
  return rows.map(toDocument);
}

export interface NewDocument {
  id: string;
  ownerId: string;
  clientId: string;
  folderId: string | null;
  fileName: string;
  mimeType: string;
  size: number;
  sha256: string;
  storageKey: string;
  /** Of a file of OpenAI's API, or `attachment`. */
  purpose: string | null;
}

/** Serializes changes to an owner's documents until the transaction ends. */
export async function lockOwner(db: Database, ownerId: string): Promise<void> {
  await lockKeys(db, [`documents of ${ownerId}`]);
}

/** Whether a model sees the file as it is, so that nothing has to be read from it. */
export function isSeenOnly({
  purpose,
  mimeType,
}: Pick<NewDocument, "purpose" | "mimeType">): boolean {
  return purpose === ATTACHMENT && SEEN_IMAGES.includes(mimeType);
}

export async function insertDocument(db: Database, document: NewDocument): Promise<void> {
  const { id, ownerId, clientId, folderId, fileName, mimeType, size, sha256 } = document;
  const { storageKey, purpose } = document;
  const [status, progress] = isSeenOnly(document) ? ["PROCESSED", 1] : ["UPLOADED", 0];
  await db.query(sql`insert into documents.documents (id, owner_id, client_id,
      folder_id, file_name, mime_type, size, sha256, storage_key, purpose, status, progress)
    values (${id}, ${ownerId}, ${clientId}, ${folderId}, ${fileName}, ${mimeType}, ${size},
      ${sha256}, ${storageKey}, ${purpose}, ${status}, ${progress})`);
}

export async function updateDocument(
  db: Database,
  id: string,
  {
    fileName,
    folderId,
    isAttachment,
  }: {
    fileName?: string | undefined;
    folderId?: string | null | undefined;
    /** False makes an attachment a document. */
    isAttachment?: false | undefined;
  },
): Promise<void> {
  const keep = (value: unknown, column: Sql): Sql =>
    value === undefined ? column : sql`${value}`;
  await db.query(sql`update documents.documents set
    file_name = ${keep(fileName, sql`file_name`)}, folder_id = ${keep(folderId, sql`folder_id`)},
    purpose = ${isAttachment === false ? sql`nullif(purpose, 'attachment')` : sql`purpose`},
    updated_at = now() where id = ${id}`);
}

/** What is deleted: a document, only if it is an attachment, or a batch of an owner. */
export type Removed = { id: string; isAttachment?: true } | { ownerId: string };

/**
 * Deletes the rows only; see `deleteDocuments`. Call it in a transaction: it locks the owners, so
 * that nobody begins to share a file whose key it returns.
 * With `ownerId` a batch of them, until none is left.
 * @returns the keys of the files that no other document shares, and the last attempt.
 */
export async function removeDocuments(
  db: Database,
  where: Removed,
): Promise<{ id: string; jobId: string | null; keys: string[] }[]> {
  const owners =
    "id" in where
      ? (await findOwners(db, [where.id])).map(({ userId }) => userId)
      : [where.ownerId];
  for (const owner of owners) await lockOwner(db, owner);
  const condition =
    "id" in where
      ? sql`id = ${where.id} and ${where.isAttachment ? sql`purpose = ${ATTACHMENT}` : sql`true`}`
      : sql`id in (select id from documents.documents where owner_id = ${where.ownerId}
          limit ${DOCUMENTS_PER_BATCH})`;
  const removed = await db.query<{
    id: string;
    jobId: string | null;
    storageKey: string;
    markdownKey: string | null;
  }>(sql`delete from documents.documents where ${condition}
    returning id, job_id as "jobId", storage_key as "storageKey", markdown_key as "markdownKey"`);
  const used = await findUsedKeys(
    db,
    removed.map(({ storageKey }) => storageKey),
  );
  return removed.map(({ id, jobId, storageKey, markdownKey }) => ({
    id,
    jobId,
    keys: [
      ...(used.has(storageKey) ? [] : [storageKey]),
      ...(markdownKey ? [markdownKey] : []),
    ],
  }));
}

/** Counts an owner's documents by status. */
export async function countByStatus(
  db: Database,
  ownerId: string,
): Promise<Record<StoredDocument["status"], number>> {
  const rows = await db.query<{ status: StoredDocument["status"]; n: number }>(
    sql`select status, count(*)::int as n from documents.documents
      where owner_id = ${ownerId} and ${IS_DOCUMENT} group by status`,
  );
  const counts = {
    UPLOADED: 0,
    PARSING: 0,
    PARSED: 0,
    EMBEDDING: 0,
    PROCESSED: 0,
    FAILED: 0,
  };
  for (const { status, n } of rows) counts[status] = n;
  return counts;
}

/** Attachments that were stored before, in the order of their ids. */
export async function listAttachments(
  db: Database,
  { after, days, limit }: { after: string | undefined; days: number; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select id from documents.documents
    where purpose = 'attachment' and (${after ?? null}::uuid is null or id > ${after ?? null})
      and created_at < now() - ${days} * interval '1 day' order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** How much an owner has stored. The bytes of documents that share a file count once. */
export async function measureUse(
  db: Database,
  ownerId: string,
): Promise<{ bytes: number; documents: number }> {
  const [row] = await db.query<{ bytes: number; documents: number }>(
    sql`select coalesce(sum(size), 0)::float8 as bytes, coalesce(sum(of_file), 0)::int as documents
      from (select min(size) as size, count(*) as of_file from documents.documents
        where owner_id = ${ownerId} group by storage_key) as files`,
  );
  return row ?? { bytes: 0, documents: 0 };
}

function toDocument(row: Row): StoredDocument {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Who owns these documents. */
export async function findOwners(
  db: Database,
  ids: readonly string[],
): Promise<{ id: string; userId: string }[]> {
  return db.query(sql`select id, owner_id as "userId" from documents.documents
    where id = any(${[...ids]}::uuid[])`);
}
