import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/** A flow takes no more files. */
const MAX_FILES = 20;
const MAX_THREAD_MESSAGES = 1_000;

/**
 * The files of the messages that lead to this one, the newest first. Some may be deleted, or not
 * visible to the user any more.
 */
export async function listThreadFiles(db: Database, messageId: string): Promise<string[]> {
  const rows = await db.query<{ fileId: string }>(sql`
    with recursive thread as (
      select id, parent_id, 0 as depth from core.messages where id = ${messageId}
      union all
      select m.id, m.parent_id, depth + 1 from core.messages m
      join thread t on m.id = t.parent_id where depth < ${MAX_THREAD_MESSAGES})
    select f.file_id as "fileId" from thread t
    join core.message_files f on f.message_id = t.id
    group by f.file_id order by min(t.depth), min(f.position) limit ${MAX_FILES}`);
  return rows.map(({ fileId }) => fileId);
}
