import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/** Records that a model refuses the text of a chunk, unless the chunk no longer exists. */
export async function recordRefusal(
  db: Database,
  modelId: number,
  chunkId: string,
  code: string,
): Promise<void> {
  await db.query(sql`insert into documents.refused_chunks (chunk_id, model_id, code)
    select id, ${modelId}::smallint, ${code} from documents.chunks where id = ${chunkId}
    on conflict do nothing`);
}

/** Its chunks are tried again: another server, or the same one with other limits, may take them. */
export async function forgetRefusals(db: Database, modelId: number): Promise<void> {
  await db.query(sql`delete from documents.refused_chunks where model_id = ${modelId}`);
}

/** Returns how many chunks in use a model refuses. */
export async function countRefused(db: Database, modelId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from documents.refused_chunks r join documents.chunks c on c.id = r.chunk_id
    join documents.chunk_sets s on s.id = c.set_id and s.state = 'current'
    where r.model_id = ${modelId}`);
  return row?.count ?? 0;
}
