import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";

const MAX_CONCURRENT = 500;

/** Deletes runs that ended long ago, with the bytes of those that could not be read. */
export async function purgeRuns(
  db: Database,
  files: Files,
  keptMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const rows = await db.query<{
      key: string | null;
    }>(sql`delete from automations.runs where id in (
        select id from automations.runs where ended_at < now() - ${keptMs} * interval '1 millisecond' limit ${MAX_CONCURRENT})
      returning storage_key as key`);
    for (const { key } of rows) if (key !== null) await files.delete(key);
    if (rows.length < MAX_CONCURRENT) return;
  }
}
