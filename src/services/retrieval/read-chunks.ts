import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { RetrieveResult } from "./contract.ts";

export interface ReadChunk extends Omit<RetrieveResult, "score" | "neighbours"> {
  /** What is searched: the translation, where there is one. */
  text: string;
}

interface Row {
  chunkId: string;
  documentId: string;
  fileName: string;
  chunkIndex: number;
  pageNumber: number | null;
  contentType: string;
  headings: string[];
  start: number;
  end: number;
  language: string | null;
  translation: string | null;
  content: string;
}

/** Chunks by their ids, with what a citation needs. */
export async function readChunks(db: Database, ids: readonly string[]): Promise<Map<string, ReadChunk>> {
  if (ids.length === 0) return new Map();
  const rows =
    await db.query<Row>(sql`select c.id as "chunkId", c.document_id as "documentId", d.file_name as "fileName", c.chunk_index as "chunkIndex",
      c.page_number as "pageNumber", c.content_type as "contentType", c.headings, c.start_offset as start, c.end_offset as "end", c.language, c.translation, c.content
    from documents.chunks c join documents.documents d on d.id = c.document_id where c.id = any(${[...ids]}::uuid[])`);
  return new Map(
    rows.map(({ content, ...metadata }) => [
      metadata.chunkId,
      { content, text: metadata.translation ?? content, metadata: { ...metadata, pageNumber: metadata.pageNumber ?? 1 } },
    ]),
  );
}

/** Up to `window` chunks before and after each, of the same document. */
export async function readNeighbours(
  db: Database,
  ids: readonly string[],
  window: number,
): Promise<Map<string, NonNullable<RetrieveResult["neighbours"]>>> {
  const rows = await db.query<{ of: string; chunkIndex: number; pageNumber: number | null; content: string }>(sql`
    select c.id as of, n.chunk_index as "chunkIndex", n.page_number as "pageNumber", n.content from documents.chunks c
    join documents.chunks n on n.set_id = c.set_id and n.chunk_index between c.chunk_index - ${window}::int and c.chunk_index + ${window}::int and n.id <> c.id
    where c.id = any(${[...ids]}::uuid[]) order by n.chunk_index`);
  const found = new Map<string, NonNullable<RetrieveResult["neighbours"]>>();
  for (const { of, pageNumber, ...neighbour } of rows)
    found.set(of, [...(found.get(of) ?? []), { ...neighbour, pageNumber: pageNumber ?? 1 }]);
  return found;
}
