import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import type { UserDeletion } from "../users/contract-user-deletion.ts";
import { deleteDocuments } from "./delete-documents.ts";
import { IS_DOCUMENT } from "./store.ts";
import {
  byId,
  type PersonalKind,
  readPersonalPage,
} from "../../platform/db/personal-page.ts";
import { changeInBatches, repeatUntilNone } from "../../platform/db/repeat-until-none.ts";

/**
 * Transfers a deleted user's documents to the recipient, except those that the recipient has
 * already and attachments, or deletes them. Idempotent.
 */
export async function forgetUser(
  deps: { db: Database; queue: Queue; files: Files },
  deletion: UserDeletion,
): Promise<void> {
  const { userId, transferTo } = deletion;
  const { db } = deps;
  if (transferTo !== null) await transferData(db, userId, transferTo);
  await repeatUntilNone(
    db,
    async () => (await deleteDocuments(deps, { ownerId: userId })).length,
  );
  const folders = sql`select id from documents.folders where owner_id = ${userId}`;
  await changeInBatches(
    db,
    (rows) => sql`update documents.documents set folder_id = null where id in (
      select id from documents.documents where folder_id in (${folders}) limit ${rows})
      returning 1`,
  );
  await changeInBatches(
    db,
    (rows) => sql`update documents.folders set parent_id = null where id in (
      select id from documents.folders where parent_id in (${folders}) limit ${rows})
      returning 1`,
  );
  await changeInBatches(
    db,
    (rows) => sql`delete from documents.folders where id in (
      select id from documents.folders where owner_id = ${userId} limit ${rows}) returning 1`,
  );
}

/** Folders first, so that no document is in a folder that is deleted. */
async function transferData(db: Database, userId: string, to: string): Promise<void> {
  await changeInBatches(
    db,
    (rows) => sql`update documents.folders set owner_id = ${to} where id in (
      select id from documents.folders where owner_id = ${userId} limit ${rows}) returning 1`,
  );
  await changeInBatches(
    db,
    (rows) => sql`update documents.documents set owner_id = ${to} where id in (
      select id from documents.documents d where owner_id = ${userId} and ${IS_DOCUMENT}
        and not exists (select 1 from documents.documents o
          where o.owner_id = ${to} and o.sha256 = d.sha256) limit ${rows}) returning 1`,
  );
}

const isOwned = (userId: string) => sql`row.owner_id = ${userId}`;

/** Names and places. The files themselves are read at `GET /documents/:id/content`. */
export const PERSONAL_KINDS: readonly PersonalKind[] = [
  {
    kind: "folder",
    from: sql`documents.folders row`,
    ...byId,
    isOf: isOwned,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`jsonb_build_object('id', row.id, 'name', row.name, 'parentId', row.parent_id,
      'settings', row.settings, 'vectorStore', row.store, 'createdAt', row.created_at)`,
  },
  {
    kind: "document",
    from: sql`documents.documents row`,
    ...byId,
    isOf: isOwned,
    bytes: sql`octet_length(row.file_name) + (
      select coalesce(sum(pg_column_size(f.attributes)), 0) from documents.store_files f
      where f.document_id = row.id)`,
    data: sql`jsonb_build_object('id', row.id, 'fileName', file_name, 'mimeType', mime_type,
      'size', size, 'sha256', sha256, 'folderId', row.folder_id, 'purpose', purpose,
      'vectorStores', (select coalesce(jsonb_agg(jsonb_build_object('id', f.folder_id,
        'attributes', f.attributes) order by f.folder_id), '[]')
        from documents.store_files f where f.document_id = row.id),
      'createdAt', row.created_at)`,
  },
];

/** A page of a user's data, kind by kind. */
export function personalData(db: Database, userId: string, after: string | undefined) {
  return readPersonalPage(db, PERSONAL_KINDS, userId, after);
}
