import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { User } from "../../../platform/http/caller.ts";
import { type Access } from "../access.ts";
import { folderNotFound } from "../contract-not-found.ts";
import { requireFolder } from "../find-permitted.ts";
import { deleteFolder, folderNotEmpty } from "../folders.ts";
import { type Cursor, storeId } from "./contract-ids.ts";
import type { VectorStore } from "./contract-vector-stores.ts";
import { toPage, toSeconds, toSql } from "./cursor.ts";
import { registerPlaces } from "./register-places.ts";
import { measureStores, noUse, type Use, type Viewer } from "./store-files.ts";

/** Vector stores: folders, as OpenAI's API shows them. */

interface Row {
  id: string;
  name: string;
  store: { metadata?: Record<string, string>; description?: string };
  createdAt: Date;
  updatedAt: Date;
}
const COLUMNS = sql`id, name, store, created_at as "createdAt", updated_at as "updatedAt"`;
/** Documents that leave a deleted store at a time. */
const DOCUMENTS_PER_BATCH = 20;

/** A page of the stores of an owner. */
export async function listStores(db: Database, viewer: Viewer, cursor: Cursor) {
  const { where, limit, direction } = toSql(cursor, sql`id`);
  const rows = await db.query<Row>(sql`select ${COLUMNS} from documents.folders
    where owner_id = ${viewer.ownerId} and ${where} order by id ${direction} limit ${limit}`);
  const ids = rows.map(({ id }) => id);
  const uses = await measureStores(db, ids, viewer);
  return toPage(cursor, rows, (row) => toStore(row, uses.get(row.id) ?? noUse()));
}

/** @throws NotFound `folder_not_found`. */
export async function readStore(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<VectorStore> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from documents.folders where id = ${id}`,
  );
  if (!row) throw folderNotFound();
  const uses = await measureStores(db, [id], viewer);
  return toStore(row, uses.get(id) ?? noUse());
}

/** What is undefined stays as it is. */
export async function changeStore(
  db: Database,
  id: string,
  change: {
    name?: string | undefined;
    metadata?: Record<string, string> | undefined;
    description?: string | undefined;
  },
): Promise<void> {
  const { name, ...store } = change;
  await db.query(sql`update documents.folders set
    name = coalesce(${name ?? null}, name), store = store || ${jsonb(store)}, updated_at = now()
    where id = ${id}`);
}

/**
 * Deletes a store. What lies in it stays, in no folder.
 * @throws Conflict `folder_not_empty` when there are folders in it.
 */
export async function deleteStore(
  deps: { db: Database; access: Access },
  user: User,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  await requireFolder(deps, user, id, "owner");
  const inner = await db.query(
    sql`select 1 from documents.folders where parent_id = ${id} limit 1`,
  );
  if (inner.length > 0) throw folderNotEmpty();
  while ((await emptyBatch(deps, id)) > 0) signal.throwIfAborted();
  await deleteFolder(deps, user, id);
}

/** The folder's access ends before the documents leave, so that what breaks off leaves none. */
async function emptyBatch(
  { db, access }: { db: Database; access: Access },
  folderId: string,
): Promise<number> {
  const leaving = await db.query<{ id: string; ownerId: string }>(sql`
    select id, owner_id as "ownerId" from documents.documents where folder_id = ${folderId}
    order by id limit ${DOCUMENTS_PER_BATCH}`);
  await Promise.all(
    leaving.map(({ id, ownerId }) => access.register("document", id, ownerId, null)),
  );
  const ids = leaving.map(({ id }) => id);
  await db.query(sql`update documents.documents set folder_id = null, updated_at = now()
    where id = any(${ids}::uuid[]) and folder_id = ${folderId}`);
  // one that moved meanwhile lies elsewhere
  await registerPlaces({ db, access }, ids);
  return ids.length;
}

function toStore({ id, name, store, createdAt, updatedAt }: Row, use: Use): VectorStore {
  return {
    id: storeId(id),
    object: "vector_store",
    created_at: toSeconds(createdAt),
    name,
    description: store.description ?? null,
    status: use.counts.in_progress > 0 ? "in_progress" : "completed",
    usage_bytes: use.bytes,
    file_counts: use.counts,
    last_active_at: toSeconds(updatedAt),
    metadata: store.metadata ?? {},
    expires_after: null,
    expires_at: null,
  };
}
