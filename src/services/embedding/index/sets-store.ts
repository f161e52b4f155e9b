import sql, { join } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { json } from "../../../platform/db/jsonb.ts";
import { vectorValue } from "../../../platform/db/vector-value.ts";
import type { Place } from "../contract-places.ts";
import type { ToEmbed } from "./models-store.ts";
import { ANALYSIS, type AnalysedText } from "./text-analysis.ts";

/** The chunks of a document from one way of cutting it. */
export interface ChunkSet {
  id: string;
  documentId: string;
  state: "building" | "current";
  totalChunks: number;
}

export interface NewChunk {
  id: string;
  index: number;
  content: string;
  language: string | null;
  /** The text for full-text search. */
  search: string;
  searchLength: number;
  start: number;
  end: number;
  tokenCount: number;
  pageNumber: number;
  place?: Place;
  headings: string[];
}

const SET = sql`id, document_id as "documentId", state, total_chunks as "totalChunks"`;

/** Returns a document's current attempt; undefined when there is no such document. */
export async function findAttempt(
  db: Database,
  documentId: string,
): Promise<{ jobId: string | null; fileName: string; ownerId: string } | undefined> {
  const [row] = await db.query<{ jobId: string | null; fileName: string; ownerId: string }>(
    sql`select job_id as "jobId", file_name as "fileName", owner_id as "ownerId"
      from documents.documents where id = ${documentId}`,
  );
  return row;
}

/**
 * Returns the set of this text cut in this way, from whichever attempt, or a new one. Deletes other
 * unfinished sets of the document.
 * @returns undefined when the document was deleted.
 */
export async function openSet(
  db: Database,
  id: string,
  documentId: string,
  fingerprint: string,
): Promise<ChunkSet | undefined> {
  return db.tx(async () => {
    const [there] = await db.query(
      sql`select id from documents.documents where id = ${documentId} for update`,
    );
    if (!there) return undefined;
    await db.query(
      sql`delete from documents.chunk_sets where document_id = ${documentId} and state = 'building' and fingerprint <> ${fingerprint}`,
    );
    const [found] = await db.query<ChunkSet>(sql`select ${SET} from documents.chunk_sets
      where document_id = ${documentId} and fingerprint = ${fingerprint} order by state desc limit 1`);
    if (found) return found;
    const [made] =
      await db.query<ChunkSet>(sql`insert into documents.chunk_sets (id, document_id, fingerprint)
      values (${id}, ${documentId}, ${fingerprint}) on conflict (id) do nothing returning ${SET}`);
    return made;
  });
}

/** Stores chunks, except those that are stored already. */
export async function addChunks(
  db: Database,
  { id, documentId }: ChunkSet,
  chunks: readonly NewChunk[],
): Promise<void> {
  await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, language, page_number, place, headings,
      start_offset, end_offset, token_count, search, search_length)
    select g.id, ${id}, ${documentId}, g.index, g.content, g.language, g."pageNumber", g.place,
      array(select json_array_elements_text(g.headings)), g.start, g."end", g."tokenCount", g.search,
      g."searchLength"
    from json_to_recordset(${json(chunks)}) as g (id uuid, index int, content text,
      language text, search tsvector, "searchLength" int, "pageNumber" int, place jsonb, headings json,
      start int, "end" int, "tokenCount" int)
    on conflict (set_id, chunk_index) do nothing`);
}

/** Marks a set as having all its chunks. */
export async function closeChunks(
  db: Database,
  id: string,
  totalChunks: number,
  textConfigs: readonly string[],
): Promise<void> {
  await db.query(
    sql`update documents.chunk_sets set total_chunks = ${totalChunks}, text_configs = ${[...textConfigs]}::text[],
      analysis = ${ANALYSIS} where id = ${id}`,
  );
}

export async function countChunks(db: Database, setId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from documents.chunks where set_id = ${setId}`,
  );
  return row?.count ?? 0;
}

/** Returns the chunks of a set after an index, in order. */
export async function chunksAfter(
  db: Database,
  setId: string,
  after: number,
  limit: number,
): Promise<(ToEmbed & { index: number })[]> {
  return db.query(sql`select c.id, c.set_id as "setId", d.file_name as "fileName", c.headings,
      c.content, c.translation, c.chunk_index as index
    from documents.chunks c join documents.documents d on d.id = c.document_id
    where c.set_id = ${setId} and c.chunk_index > ${after} order by c.chunk_index limit ${limit}`);
}

/** Returns those of the chunks that have no vector of a model. */
export async function withoutVectors<Chunk extends { id: string }>(
  db: Database,
  modelId: number,
  chunks: readonly Chunk[],
): Promise<Chunk[]> {
  const ids = chunks.map(({ id }) => id);
  const rows = await db.query<{ id: string }>(sql`select chunk_id as id
    from documents.embeddings where chunk_id = any (${ids}::uuid[]) and model_id = ${modelId}`);
  const embedded = new Set(rows.map(({ id }) => id));
  return chunks.filter(({ id }) => !embedded.has(id));
}

/** Stores vectors, except of chunks that were deleted in the meantime. */
export async function addVectors(
  db: Database,
  modelId: number,
  vectors: readonly { chunkId: string; setId: string; vector: readonly number[] }[],
): Promise<void> {
  if (vectors.length === 0) return;
  const rows = vectors.map(
    ({ chunkId, setId, vector }) =>
      sql`(${chunkId}::uuid, ${setId}::uuid, ${vectorValue(vector)})`,
  );
  await db.query(sql`insert into documents.embeddings (chunk_id, model_id, set_id, embedding)
    select g.chunk_id, ${modelId}::smallint, g.set_id, g.vector
    from (values ${join(rows)}) as g (chunk_id, set_id, vector)
    where exists (select from documents.chunks c where c.id = g.chunk_id) on conflict do nothing`);
}

export async function countVectors(
  db: Database,
  setId: string,
  modelId: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from documents.embeddings where set_id = ${setId} and model_id = ${modelId}`,
  );
  return row?.count ?? 0;
}

/** Returns the chunks after an index that are not in English and not translated, in order. */
export async function untranslated(
  db: Database,
  setId: string,
  after: number,
  limit: number,
): Promise<{ id: string; content: string; language: string; index: number }[]> {
  return db.query(sql`select id, content, language, chunk_index as index from documents.chunks
    where set_id = ${setId} and chunk_index > ${after} and language <> 'en' and translation is null
    order by chunk_index limit ${limit}`);
}

/** Saves a translation, which is searched instead; deletes the original's vector and refusals. */
export async function saveTranslation(
  db: Database,
  id: string,
  translation: string,
  { search, searchLength }: AnalysedText,
): Promise<void> {
  await db.query(sql`with gone as (delete from documents.embeddings where chunk_id = ${id}),
      accepted as (delete from documents.refused_chunks where chunk_id = ${id})
    update documents.chunks set translation = ${translation}, search = ${search}::tsvector,
      search_length = ${searchLength} where id = ${id}`);
}

export async function addTextConfig(
  db: Database,
  setId: string,
  textConfig: string,
): Promise<void> {
  await db.query(sql`update documents.chunk_sets set text_configs = array_append(text_configs, ${textConfig})
    where id = ${setId} and not ${textConfig} = any(text_configs)`);
}

export async function countTranslated(db: Database, setId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from documents.chunks where set_id = ${setId} and translation is not null`,
  );
  return row?.count ?? 0;
}

/**
 * Replaces the current set by this one in one transaction, so that every search finds the document
 * once.
 * @returns false when the document was deleted or stopped, or has another attempt.
 */
export async function makeCurrent(
  db: Database,
  { id, documentId }: ChunkSet,
  jobId: string,
): Promise<boolean> {
  return db.tx(async () => {
    const [document] = await db.query<{ jobId: string | null }>(
      sql`select job_id as "jobId" from documents.documents where id = ${documentId} for update`,
    );
    if (!document || document.jobId !== jobId) return false;
    const [set] = await db.query(sql`select id from documents.chunk_sets where id = ${id}`);
    if (!set) return false;
    await db.query(
      sql`delete from documents.chunk_sets where document_id = ${documentId} and id <> ${id}`,
    );
    await db.query(sql`update documents.chunk_sets set state = 'current' where id = ${id}`);
    return true;
  });
}

/** Deletes the unfinished sets of a stopped document. A new attempt continues with its sets. */
export async function dropStopped(db: Database, documentId: string): Promise<void> {
  await db.query(sql`delete from documents.chunk_sets s using documents.documents d
    where s.document_id = ${documentId} and s.state = 'building' and d.id = s.document_id and d.job_id is null`);
}

export interface IndexState {
  status: string;
  error: { stage: string; code: string; message: string } | null;
  setId: string | null;
  setState: "building" | "current" | null;
  chunks: number;
}

/** Returns how far a document is indexed: the unfinished set, or else the current one. */
export async function findIndexState(
  db: Database,
  documentId: string,
): Promise<IndexState | undefined> {
  const [row] =
    await db.query<IndexState>(sql`select d.status, d.error, s.id as "setId", s.state as "setState", coalesce(s.total_chunks, 0) as chunks
    from documents.documents d left join lateral (
      select id, state, total_chunks from documents.chunk_sets where document_id = d.id order by (state = 'building') desc limit 1) s on true
    where d.id = ${documentId}`);
  return row;
}
