import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";

const BATCH_SIZE = 500;

/** Deletes runs whose retention is over, with the bytes of media that could not be read. */
export async function purgeRuns(
  db: Database,
  files: Files,
  retentionMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const rows = await db.query<{
      key: string | null;
    }>(sql`delete from automations.runs where id in (
        select id from automations.runs
          where ended_at < now() - ${retentionMs} * interval '1 millisecond' limit ${BATCH_SIZE})
      returning storage_key as key`);
    for (const { key } of rows) if (key !== null) await files.delete(key);
    if (rows.length < BATCH_SIZE) return;
  }
}
