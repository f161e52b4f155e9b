import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import type { Delivery, Queue } from "../../platform/queue/queue.ts";
import { type PersonalRecord, UserDeletion } from "../users/contract-user-deletion.ts";
import { deleteDocuments } from "./delete-documents.ts";
import { readMessage } from "../../platform/queue/read-message.ts";

const NIL_UUID = "00000000-0000-0000-0000-000000000000";

const DOCUMENTS_PER_PAGE = 100;

/**
 * Transfers a deleted user's documents to the recipient, except those that the recipient has
 * already, or deletes them. Idempotent.
 */
export async function forgetUser(
  deps: { db: Database; queue: Queue; files: Files },
  delivery: Pick<Delivery, "data">,
): Promise<void> {
  const { userId, transferTo } = readMessage(UserDeletion, delivery);
  const { db } = deps;
  if (transferTo !== null)
    await db.tx(async () => {
      await db.query(
        sql`update documents.folders set owner_id = ${transferTo} where owner_id = ${userId}`,
      );
      await db.query(sql`update documents.documents d set owner_id = ${transferTo}
        where owner_id = ${userId} and not exists (select 1 from documents.documents o
          where o.owner_id = ${transferTo} and o.sha256 = d.sha256)`);
    });
  await deleteDocuments(deps, { ownerId: userId });
  await db.query(
    sql`update documents.documents set folder_id = null
      where folder_id in (select id from documents.folders where owner_id = ${userId})`,
  );
  await db.query(
    sql`update documents.folders set parent_id = null
      where parent_id in (select id from documents.folders where owner_id = ${userId})`,
  );
  await db.query(sql`delete from documents.folders where owner_id = ${userId}`);
}

/**
 * Lists what the documents service stores about a user: names and types. The files are available
 * at `GET /documents/:id/content`.
 */
export async function personalData(
  db: Database,
  userId: string,
  after: string | undefined,
): Promise<{ records: PersonalRecord[]; next: string | null }> {
  const rows = await db.query<{
    id: string;
    data: Record<string, unknown>;
  }>(sql`select id, jsonb_build_object('id', id, 'fileName', file_name, 'mimeType', mime_type,
      'size', size, 'sha256', sha256, 'folderId', folder_id, 'createdAt', created_at) as data
    from documents.documents where owner_id = ${userId} and id > ${after ?? NIL_UUID}::uuid
    order by id limit ${DOCUMENTS_PER_PAGE}`);
  const records = rows.map(({ data }) => ({ kind: "document", data }));
  return {
    records,
    next: rows.length < DOCUMENTS_PER_PAGE ? null : (rows.at(-1)?.id ?? null),
  };
}
