import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { ToEmbed } from "./models-store.ts";

/** One way in which a document is cut. */
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
  textConfig: string;
  /** Its words, parted by spaces. */
  words: string;
  start: number;
  end: number;
  tokenCount: number;
  pageNumber: number;
  headings: string[];
}

const SET = sql`id, document_id as "documentId", state, total_chunks as "totalChunks"`;

/** Whether there is such a document, and which attempt at it is under way. */
export async function findAttempt(
  db: Database,
  documentId: string,
): Promise<{ jobId: string | null; fileName: string } | undefined> {
  const [row] = await db.query<{ jobId: string | null; fileName: string }>(
    sql`select job_id as "jobId", file_name as "fileName" from documents.documents where id = ${documentId}`,
  );
  return row;
}

/**
 * The set that is being built of this text in this way, by whatever attempt, or else a new one;
 * other unfinished ones of the document go.
 * @returns undefined when the document is gone.
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

/** Stores chunks; those that are there already stay as they are. */
export async function addChunks(
  db: Database,
  { id, documentId }: ChunkSet,
  chunks: readonly NewChunk[],
): Promise<void> {
  await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, language, page_number, headings,
      start_offset, end_offset, token_count, search, search_length)
    select g.id, ${id}, ${documentId}, g.index, g.content, g.language, g."pageNumber",
      array(select jsonb_array_elements_text(g.headings)), g.start, g."end", g."tokenCount", v.search, (select coalesce(sum(cardinality(positions)), 0) from unnest(v.search))
    from jsonb_to_recordset(${jsonb(chunks)}) as g (id uuid, index int, content text, language text, "textConfig" regconfig, words text,
      "pageNumber" int, headings jsonb, start int, "end" int, "tokenCount" int)
    cross join lateral (select to_tsvector(g."textConfig", g.words) as search) v
    on conflict (set_id, chunk_index) do nothing`);
}

/** All chunks are stored: from now on only vectors and translations are missing. */
export async function closeChunks(
  db: Database,
  id: string,
  totalChunks: number,
  textConfigs: readonly string[],
): Promise<void> {
  await db.query(
    sql`update documents.chunk_sets set total_chunks = ${totalChunks}, text_configs = ${[...textConfigs]}::text[] where id = ${id}`,
  );
}

export async function countChunks(db: Database, setId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from documents.chunks where set_id = ${setId}`,
  );
  return row?.count ?? 0;
}

/** Chunks of a set that a model has not embedded yet, in order. */
export async function unembedded(
  db: Database,
  setId: string,
  modelId: number,
  limit: number,
): Promise<ToEmbed[]> {
  return db.query<ToEmbed>(sql`select c.id, c.set_id as "setId", d.file_name as "fileName", c.headings, c.content, c.translation
    from documents.chunks c join documents.documents d on d.id = c.document_id where c.set_id = ${setId}
      and not exists (select from documents.embeddings e where e.chunk_id = c.id and e.model_id = ${modelId})
    order by c.chunk_index limit ${limit}`);
}

/**
 * Rows of a statement: each is linked to its neighbours in the index, which takes ten milliseconds
 * and more on a busy server.
 */
const VECTORS_A_STATEMENT = 16;

/** Stores vectors; of a chunk that is gone meanwhile nothing is stored. */
export async function addVectors(
  db: Database,
  modelId: number,
  vectors: readonly { chunkId: string; setId: string; vector: readonly number[] }[],
): Promise<void> {
  for (let at = 0; at < vectors.length; at += VECTORS_A_STATEMENT) {
    const rows = vectors
      .slice(at, at + VECTORS_A_STATEMENT)
      .map(({ chunkId, setId, vector }) => ({ chunkId, setId, vector: vectorText(vector) }));
    await db.query(sql`insert into documents.embeddings (chunk_id, model_id, set_id, embedding)
      select g."chunkId", ${modelId}::smallint, g."setId", g.vector::vector from jsonb_to_recordset(${jsonb(rows)}) as g ("chunkId" uuid, "setId" uuid, vector text)
      where exists (select from documents.chunks c where c.id = g."chunkId") on conflict do nothing`);
  }
}

export async function countVectors(db: Database, setId: string, modelId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from documents.embeddings where set_id = ${setId} and model_id = ${modelId}`,
  );
  return row?.count ?? 0;
}

/** What is to be translated: not English, as far as it can be told, and not translated yet. */
export async function untranslated(
  db: Database,
  setId: string,
  limit: number,
): Promise<{ id: string; content: string; language: string }[]> {
  return db.query(sql`select id, content, language from documents.chunks
    where set_id = ${setId} and language <> 'en' and translation is null order by chunk_index limit ${limit}`);
}

/**
 * The translation is searched from now on; a vector of the original, where there is one, is made
 * anew after it.
 */
export async function saveTranslation(
  db: Database,
  id: string,
  translation: string,
  words: string,
): Promise<void> {
  await db.query(sql`with gone as (delete from documents.embeddings where chunk_id = ${id})
    update documents.chunks set translation = ${translation}, search = to_tsvector('english', ${words}),
      search_length = (select coalesce(sum(cardinality(positions)), 0) from unnest(to_tsvector('english', ${words}))) where id = ${id}`);
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
 * The set takes the place of the current one, in one step: nobody finds a document without chunks
 * or twice.
 * @returns whether it did: not when the document is gone, was stopped or has another attempt under
 * way.
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

/**
 * What is unfinished of a document that somebody stopped goes; that of an attempt which takes its
 * place may be gone on with.
 */
export async function dropStopped(db: Database, documentId: string): Promise<void> {
  await db.query(sql`delete from documents.chunk_sets s using documents.documents d
    where s.document_id = ${documentId} and s.state = 'building' and d.id = s.document_id and d.job_id is null`);
}

export function vectorText(vector: readonly number[]): string {
  return `[${vector.map((value) => (value === 0 ? "0" : value.toPrecision(7))).join(",")}]`;
}

export interface IndexState {
  status: string;
  error: { stage: string; code: string; message: string } | null;
  setId: string | null;
  setState: "building" | "current" | null;
  chunks: number;
}

/** How far a document is indexed: what is being built, or else what is in use. */
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
