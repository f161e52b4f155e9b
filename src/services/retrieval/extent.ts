import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { inScope, type Scope } from "./scope.ts";

/** How much a scope holds. */
export interface Extent {
  chunks: number;
  /** Of all that is indexed. */
  share: number;
  /** What a row with a `set_id` must fulfil to be in it. */
  has(setId: Sql): Sql;
}

/** As many cuts of documents are named in a statement; beyond, their documents are looked up. */
const MAX_NAMED = 1_000;

/**
 * Measures what is searched, of `total` chunks that there are; only whole cuts of documents, in
 * use, are in it.
 */
export async function measureScope(db: Database, scope: Scope, total: number): Promise<Extent> {
  const [found] = await db.query<{ chunks: number; sets: string[] | null }>(
    sql`select coalesce(sum(s.total_chunks), 0)::int as chunks,
      case when count(*) <= ${MAX_NAMED} then array_agg(s.id) end as sets
    from documents.documents d join documents.chunk_sets s on s.document_id = d.id and s.state = 'current' where ${inScope(scope)}`,
    { name: `retrieval-extent-${scope.kind}` },
  );
  const { chunks, sets } = found ?? { chunks: 0, sets: null };
  const size = { chunks, share: Math.min(1, chunks / Math.max(1, total)) };
  if (sets) return { ...size, has: (setId) => sql`${setId} = any (${sets}::uuid[])` };
  return {
    ...size,
    has: (
      setId,
    ) => sql`exists (select from documents.chunk_sets s join documents.documents d on d.id = s.document_id
      where s.id = ${setId} and s.state = 'current' and ${inScope(scope)})`,
  };
}
