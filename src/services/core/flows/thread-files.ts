import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/** As many as a flow takes. */
const MOST = 20;

/**
 * Files of the messages that lead to this one, the newest first. They may be gone by now, or not be
 * the person's to see any more.
 */
export async function threadFiles(db: Database, messageId: string): Promise<string[]> {
  const rows = await db.query<{ fileId: string }>(sql`with recursive thread as (
      select id, parent_id, 0 as depth from core.messages where id = ${messageId}
      union all select m.id, m.parent_id, depth + 1 from core.messages m join thread t on m.id = t.parent_id where depth < 1000)
    select f.file_id as "fileId" from thread t join core.message_files f on f.message_id = t.id
    group by f.file_id order by min(t.depth), min(f.position) limit ${MOST}`);
  return rows.map(({ fileId }) => fileId);
}
