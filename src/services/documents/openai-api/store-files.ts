import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import type { Attributes } from "../contract-attributes.ts";
import type { StoredDocument } from "../contract-stored.ts";
import { type Cursor, fileId, storeId } from "./contract-ids.ts";
import type { Counts, FileStatus, StoreFile } from "./contract-vector-stores.ts";
import { toPage, toSeconds, toSql } from "./cursor.ts";

/** The rows behind the files of vector stores: documents in the folder, and attached ones. */

/** The most files of a store that lie in other folders or have attributes. */
const MAX_ATTACHED = 10_000;

/** Who may see a folder may see what lies in it, and of what is attached only their own. */
export interface Viewer {
  ownerId: string;
  /** The documents that others shared with them. */
  shared: readonly string[];
}

/** Of a row of `documents.documents d`. */
const STATUS = sql`case when d.status = 'PROCESSED' then 'completed'
  when d.status = 'FAILED' then
    case when d.error->>'code' = 'stopped' then 'cancelled' else 'failed' end
  else 'in_progress' end`;

interface Row extends Pick<StoredDocument, "id" | "size" | "error"> {
  createdAt: Date;
  status: FileStatus;
  attributes: Attributes;
}

interface Files {
  folderId: string;
  viewer: Viewer;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

/** A page of the files of a store. */
export async function listStoreFiles(
  db: Database,
  files: Files,
  { filter, ...cursor }: Cursor & { filter?: FileStatus | undefined },
) {
  const { folderId } = files;
  const { where, limit, direction } = toSql(cursor, sql`d.id`);
  const conditions = [where, ...(filter ? [sql`${STATUS} = ${filter}`] : [])];
  const sources = sourcesOf(files).map(
    (source) => sql`(select d.id from ${source} and ${join(conditions, " and ")}
      order by d.id ${direction} limit ${limit})`,
  );
  const rows = await db.query<Row>(sql`
    select d.id, d.size::float8 as size, d.error, d.created_at as "createdAt",
      ${STATUS} as status, coalesce(s.attributes, '{}') as attributes
    from (select id from (${join(sources, " union all ")}) as first
      order by id ${direction} limit ${limit}) page
    join documents.documents d on d.id = page.id
    left join documents.store_files s on s.folder_id = ${folderId} and s.document_id = d.id
    order by d.id ${direction}`);
  return toPage(cursor, rows, (row) => toStoreFile(row, folderId));
}

/** Two sources without a common row, each by its index; conditions may follow. */
function sourcesOf({ folderId, viewer, ids }: Files): Sql[] {
  const named = ids ? sql`d.id = any(${[...ids]}::uuid[])` : sql`true`;
  return [
    sql`documents.documents d where d.folder_id = ${folderId} and ${named}`,
    sql`documents.store_files a join documents.documents d on d.id = a.document_id
      where a.folder_id = ${folderId} and ${isAttachedTo(viewer)} and ${named}`,
  ];
}

/** The document lies elsewhere, where the viewer may see it. */
function isAttachedTo({ ownerId, shared }: Viewer): Sql {
  return sql`d.folder_id is distinct from a.folder_id
    and (d.owner_id = ${ownerId} or d.id = any(${[...shared]}::uuid[]))`;
}

export interface Use {
  bytes: number;
  counts: Counts;
}

/** What stores hold, by their ids, as the viewer sees it. */
export async function measureStores(
  db: Database,
  folderIds: readonly string[],
  viewer: Viewer,
): Promise<Map<string, Use>> {
  const rows = await db.query<{ id: string; status: FileStatus; n: number; bytes: number }>(
    sql`select store.id, held.status, count(*)::int as n, sum(held.size)::float8 as bytes
      from unnest(${[...folderIds]}::uuid[]) as store (id)
      cross join lateral (
        select ${STATUS} as status, d.size from documents.documents d
          where d.folder_id = store.id
        union all
        select ${STATUS}, d.size from documents.store_files a
          join documents.documents d on d.id = a.document_id
          where a.folder_id = store.id and ${isAttachedTo(viewer)}) as held
      group by store.id, held.status`,
  );
  const uses = new Map(folderIds.map((id) => [id, noUse()] as const));
  for (const { id, status, n, bytes } of rows) {
    const use = uses.get(id);
    if (!use) continue;
    use.bytes += bytes;
    use.counts[status] = n;
    use.counts.total += n;
  }
  return uses;
}

export function noUse(): Use {
  const counts = { in_progress: 0, completed: 0, failed: 0, cancelled: 0, total: 0 };
  return { bytes: 0, counts };
}

/** Counts some of a store's files by their status. */
export async function countFiles(db: Database, ids: readonly string[]): Promise<Counts> {
  const { counts } = noUse();
  const rows = await db.query<{ status: FileStatus; n: number }>(sql`
    select ${STATUS} as status, count(*)::int as n from documents.documents d
    where d.id = any(${[...ids]}::uuid[]) group by 1`);
  for (const { status, n } of rows) {
    counts[status] = n;
    counts.total += n;
  }
  return counts;
}

/**
 * Notes that documents are files of a store, with their attributes there. One that was deleted
 * meanwhile is left out.
 * @throws Conflict `vector_store_full`.
 */
export async function saveStoreFiles(
  db: Database,
  folderId: string,
  files: readonly { id: string; attributes: Attributes }[],
): Promise<void> {
  if (files.length === 0) return;
  await db.tx(async () => {
    await lockKeys(db, [`files of store ${folderId}`]);
    await db.query(sql`insert into documents.store_files (folder_id, document_id, attributes)
      select ${folderId}::uuid, d.id, f.attributes
      from jsonb_to_recordset(${jsonb(files)}) as f (id uuid, attributes jsonb)
        join documents.documents d on d.id = f.id
      on conflict (folder_id, document_id) do update set attributes = excluded.attributes`);
    const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
      from documents.store_files where folder_id = ${folderId}`);
    if ((row?.count ?? 0) > MAX_ATTACHED) throw storeFull();
  });
}

function storeFull(): Conflict {
  return new Conflict(
    "vector_store_full",
    `A vector store has at most ${MAX_ATTACHED} files that lie in other folders or have ` +
      "attributes. Use another one.",
    { params: { max: MAX_ATTACHED } },
  );
}

/** Forgets that a document is a file of a store, and its attributes there. */
export async function removeStoreFile(
  db: Database,
  folderId: string,
  documentId: string,
): Promise<void> {
  await db.query(sql`delete from documents.store_files
    where folder_id = ${folderId} and document_id = ${documentId}`);
}

function toStoreFile(row: Row, folderId: string): StoreFile {
  const { id, size, error, createdAt, status, attributes } = row;
  return {
    id: fileId(id),
    object: "vector_store.file",
    created_at: toSeconds(createdAt),
    vector_store_id: storeId(folderId),
    status,
    last_error:
      error && status === "failed"
        ? { code: toErrorCode(error), message: error.message }
        : null,
    usage_bytes: size,
    attributes,
    chunking_strategy: { type: "other" },
  };
}

/** Those that are about the file; all others are about this server. */
const OF_FILES: Record<string, "unsupported_file" | "invalid_file"> = {
  file_type_not_supported: "unsupported_file",
  file_type_unsupported: "unsupported_file",
  file_damaged: "invalid_file",
  file_empty: "invalid_file",
  file_encrypted: "invalid_file",
  file_refused: "invalid_file",
  file_unreadable: "invalid_file",
  invalid_pdf: "invalid_file",
  no_pages: "invalid_file",
  no_text_found: "invalid_file",
  password_required: "invalid_file",
  text_too_large: "invalid_file",
  unsupported_encryption: "invalid_file",
  wrong_password: "invalid_file",
};

function toErrorCode({ code }: NonNullable<StoredDocument["error"]>) {
  return OF_FILES[code] ?? "server_error";
}
