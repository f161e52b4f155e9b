import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { jsonb } from "../../platform/db/jsonb.ts";
import { type Place, placeOf } from "../embedding/contract-places.ts";
import type { RetrieveResult } from "./contract-retrieve.ts";
import type { Found } from "./vector-search.ts";

/** A chunk that a search found, with its chunk set. */
export interface FoundChunk extends Omit<RetrieveResult, "neighbours"> {
  setId: string;
}

/** A chunk that was stored without its place has none. */
type StoredRow = Omit<FoundChunk["metadata"], "place"> & { place: Place | null };

/**
 * Reads the chunks with these ids, in the same order and with their scores; omits chunks that were
 * deleted in the meantime.
 */
export async function readChunks(
  db: Database,
  found: readonly Found[],
): Promise<FoundChunk[]> {
  if (found.length === 0) return [];
  const rows = await db.query<StoredRow & { content: string; setId: string }>(
    sql`select c.id as "chunkId", c.set_id as "setId", c.document_id as "documentId",
      d.file_name as "fileName", c.chunk_index as "chunkIndex",
      coalesce(c.page_number, 1) as "pageNumber", c.place, c.content_type as "contentType", c.headings,
      c.start_offset as start, c.end_offset as end, c.language, c.translation, c.content
    from documents.chunks c join documents.documents d on d.id = c.document_id
    where c.id = any (${found.map(({ id }) => id)}::uuid[])`,
    { name: "retrieval-read-chunks" },
  );
  const byId = new Map(
    rows.map(({ content, setId, ...metadata }) => [
      metadata.chunkId,
      { content, setId, metadata: { ...metadata, place: placeOf(metadata) } },
    ]),
  );
  return found.flatMap(({ id, score }) => {
    const chunk = byId.get(id);
    return chunk ? [{ ...chunk, score }] : [];
  });
}

/** Adds to each chunk its neighbours, at most `window` on each side. */
export async function addNeighbours(
  db: Database,
  chunks: readonly FoundChunk[],
  window: number,
): Promise<RetrieveResult[]> {
  if (window === 0 || chunks.length === 0)
    return chunks.map(({ setId: _, ...chunk }) => chunk);
  const places = chunks.map(({ setId, metadata: { chunkIndex } }, at) => ({
    at,
    setId,
    chunkIndex,
  }));
  const rows = await db.query<{
    at: number;
    chunkIndex: number;
    pageNumber: number;
    content: string;
  }>(
    sql`select f.at::int as at, c.chunk_index as "chunkIndex",
      coalesce(c.page_number, 1) as "pageNumber", c.content
    from jsonb_to_recordset(${jsonb(places)})
      as f (at int, "setId" uuid, "chunkIndex" int)
    join documents.chunks c on c.set_id = f."setId"
      and c.chunk_index between f."chunkIndex" - ${window} and f."chunkIndex" + ${window}
      and c.chunk_index <> f."chunkIndex" order by f.at, c.chunk_index`,
  );
  return chunks.map(({ setId: _, ...chunk }, at) => ({
    ...chunk,
    neighbours: rows
      .filter((row) => row.at === at)
      .map(({ at: __, ...neighbour }) => neighbour),
  }));
}
