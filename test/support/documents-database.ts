import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { testDatabase } from "../../src/platform/testing/database.ts";
import {
  addChunks,
  closeChunks,
  openSet,
} from "../../src/services/embedding/index/sets-store.ts";

/** A database with the empty tables of documents, chunks and vectors. */
export async function documentsDatabase(): Promise<Database> {
  const db = await testDatabase();
  await migrate(db, {
    schema: "documents",
    folder: new URL("../../src/services/documents/migrations/", import.meta.url),
    log: silentLog(),
  });
  return db;
}

interface DocumentFields {
  ownerId?: string;
  fileName?: string;
  status?: string;
  jobId?: string | null;
}

/** Stores a document without chunks. @returns its id. */
export async function storeDocument(
  db: Database,
  {
    ownerId = "ada",
    fileName = "a.md",
    status = "PROCESSED",
    jobId = null,
  }: DocumentFields = {},
): Promise<string> {
  const id = uuidv7();
  await db.query(sql`insert into documents.documents
      (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status, job_id)
    values (${id}, ${ownerId}, 'default', ${fileName}, 'text/markdown', 1, ${id}, ${id},
      ${status}, ${jobId})`);
  return id;
}

/** Stores a document of chunks "line 0", "line 1" and so on, which no model has embedded. */
export async function storeLines(db: Database, count: number) {
  const set = await openSet(db, uuidv7(), await storeDocument(db), "one");
  if (!set) throw new Error("the document was not stored");
  const chunks = Array.from({ length: count }, (_, index) => ({
    id: uuidv7(),
    index,
    content: `line ${index}`,
    language: null,
    search: "",
    searchLength: 0,
    start: 0,
    end: 1,
    tokenCount: 1,
    pageNumber: 1,
    headings: [],
  }));
  await addChunks(db, set, chunks);
  return { setId: set.id, chunks };
}

/** The same as the chunks in use, which no model has embedded. */
export async function storeLinesInUse(db: Database, count: number): Promise<void> {
  const { setId } = await storeLines(db, count);
  await closeChunks(db, setId, count, []);
  await db.query(
    sql`update documents.chunk_sets set state = 'current' where id = ${setId}`,
  );
}
