import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { inScope, type Scope, statementName } from "./scope.ts";
import { PACKED_SETS } from "./vector-index/read-vectors.ts";

/** The size of a scope. */
export interface Extent {
  chunks: number;
  /** The share of all indexed chunks, 0 to 1. */
  share: number;
  /** In the embedded database: its sets, as a vector index wants them. */
  wanted: Buffer | null;
  /** Returns the SQL condition that a chunk set is in the scope. */
  has(setId: Sql): Sql;
}

/** Up to so many chunk sets are listed in a statement; beyond, a subquery looks them up. */
const MAX_LISTED_SETS = 1_000;

interface Measured {
  chunks: number;
  sets: string[] | null;
  wanted: Buffer | null;
}

/** Measures a scope, given the total number of chunks. Only current chunk sets count. */
export async function measureScope(
  db: Database,
  scope: Scope,
  total: number,
): Promise<Extent> {
  const [found] = await db.query<Measured>(
    sql`select coalesce(sum(s.total_chunks), 0)::int as chunks,
      case when count(*) <= ${MAX_LISTED_SETS} then array_agg(s.id) end as sets,
      case when ${db.isEmbedded} then ${PACKED_SETS} end as wanted
    from documents.documents d
    join documents.chunk_sets s on s.document_id = d.id and s.state = 'current'
    where ${inScope(scope)}`,
    statementName("retrieval-extent", scope),
  );
  const { chunks, sets, wanted } = found ?? { chunks: 0, sets: null, wanted: null };
  const size = { chunks, wanted, share: Math.min(1, chunks / Math.max(1, total)) };
  if (sets) return { ...size, has: (setId) => sql`${setId} = any (${sets}::uuid[])` };
  return {
    ...size,
    has: (setId) => sql`exists (select from documents.chunk_sets s
      join documents.documents d on d.id = s.document_id
      where s.id = ${setId} and s.state = 'current' and ${inScope(scope)})`,
  };
}
