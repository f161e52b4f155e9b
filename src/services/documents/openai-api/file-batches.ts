import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { isUuid } from "../../../platform/uuid.ts";
import { batchId, storeId } from "./contract-ids.ts";
import type { FileBatch } from "./contract-vector-stores.ts";
import { toSeconds } from "./cursor.ts";
import { countFiles } from "./store-files.ts";

/** Of one store. Beyond these the oldest are forgotten; the files stay. */
const MAX_BATCHES = 100;
const RETENTION_DAYS = 30;

interface Batch {
  id: string;
  documentIds: string[];
  createdAt: Date;
}

export async function insertBatch(
  db: Database,
  folderId: string,
  documentIds: readonly string[],
): Promise<string> {
  const id = uuidv7();
  await db.query(sql`insert into documents.file_batches (id, folder_id, document_ids)
    values (${id}, ${folderId}, ${[...documentIds]}::uuid[])`);
  await db.query(sql`delete from documents.file_batches where folder_id = ${folderId} and (
    created_at < now() - make_interval(days => ${RETENTION_DAYS}) or id not in (
      select id from documents.file_batches where folder_id = ${folderId}
      order by created_at desc, id desc limit ${MAX_BATCHES}))`);
  return id;
}

/** @throws NotFound `file_batch_not_found`, also for a batch of another store. */
export async function findBatch(
  db: Database,
  folderId: string,
  id: string,
): Promise<Batch> {
  const [batch] = isUuid(id)
    ? await db.query<Batch>(sql`select id, document_ids as "documentIds",
        created_at as "createdAt" from documents.file_batches
        where id = ${id} and folder_id = ${folderId}`)
    : [];
  if (!batch)
    throw new NotFound(
      "file_batch_not_found",
      "This vector store has no such batch of files, or it is not kept any more. Read its list of " +
        "files.",
    );
  return batch;
}

export async function readBatch(
  db: Database,
  folderId: string,
  id: string,
): Promise<FileBatch> {
  const { documentIds, createdAt } = await findBatch(db, folderId, id);
  const counts = await countFiles(db, documentIds);
  return {
    id: batchId(id),
    object: "vector_store.files_batch",
    created_at: toSeconds(createdAt),
    vector_store_id: storeId(folderId),
    status: statusOf(counts),
    file_counts: counts,
  };
}

function statusOf(counts: FileBatch["file_counts"]): FileBatch["status"] {
  if (counts.in_progress > 0) return "in_progress";
  return counts.cancelled > 0 ? "cancelled" : "completed";
}
