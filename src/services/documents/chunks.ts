import sql from "sql-template-tag";
import { call } from "../../platform/http/call.ts";
import { BadRequest, Conflict, TooLarge, Unavailable } from "../../platform/http/errors.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import {
  type Chunk,
  embeddingContract,
  MAX_TEXT_CHARACTERS,
} from "../embedding/contract.ts";
import type { ChunkOptions } from "../embedding/contract-jobs.ts";
import { placeOf } from "../embedding/contract-places.ts";
import { MAX_PREVIEWED_CHUNKS } from "./contract.ts";
import type { StoredChunk } from "./contract-stored.ts";
import { findProcessable, findSettings, layoutOf } from "./processing-store.ts";
import type { UploadDeps } from "./upload-document.ts";

const TIMEOUT_MS = 90_000;

/** Lists the chunks of a document's current index, in order. */
export async function listChunks(
  db: Database,
  documentId: string,
  limit: number,
  offset: number,
): Promise<{ items: StoredChunk[]; total: number }> {
  const current = sql`from documents.chunk_sets s join documents.chunks c on c.set_id = s.id
    where s.document_id = ${documentId} and s.state = 'current'`;
  const rows = await db.query<
    Omit<StoredChunk, "place"> & { place: StoredChunk["place"] | null }
  >(sql`select c.id, c.chunk_index as index, c.content,
      c.start_offset as start, c.end_offset as "end", c.token_count as "tokenCount",
      coalesce(c.page_number, 1) as "pageNumber", c.place, c.headings, c.language, c.translation
    ${current} order by c.chunk_index limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total ${current}`,
  );
  const items = rows.map((row) => ({ ...row, place: placeOf(row) }));
  return { items, total: count?.total ?? 0 };
}

/**
 * Cuts a document into chunks with other settings, without indexing it.
 * @throws Conflict `not_parsed_yet`, BadRequest `overlap_too_large`, Unavailable without an
 * embedding service.
 */
export async function previewChunks(
  { db, files, embedding }: Pick<UploadDeps, "db" | "files" | "embedding">,
  id: string,
  options: Omit<ChunkOptions, "translate">,
  signal: AbortSignal,
): Promise<{
  chunks: Chunk[];
  totalChunks: number;
  method: NonNullable<ChunkOptions["method"]>;
}> {
  if (!embedding)
    throw new Unavailable(
      "embedding_unavailable",
      "A preview needs the embedding service, which is not running. Ask your administrator.",
    );
  const document = await findProcessable(db, id);
  if (!document?.markdownKey)
    throw new Conflict(
      "not_parsed_yet",
      "The document has not been parsed yet. Check its status and try again.",
    );
  const { method, chunkSize, chunkOverlap } = {
    ...(await findSettings(db, document.folderId)),
    ...options,
  };
  if (chunkOverlap !== undefined && chunkSize !== undefined && chunkOverlap >= chunkSize)
    throw new BadRequest(
      "overlap_too_large",
      "Set an overlap that is less than the chunk size.",
    );
  const body = {
    text: await readText(files, document.markdownKey),
    method,
    chunkSize,
    chunkOverlap,
    layout: layoutOf(document),
  };
  const cut = await call(
    embedding,
    embeddingContract.chunk,
    { body },
    { signal, timeoutMs: TIMEOUT_MS },
  );
  return { ...cut, chunks: cut.chunks.slice(0, MAX_PREVIEWED_CHUNKS) };
}

async function readText(files: Files, key: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of await files.read(key)) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_TEXT_CHARACTERS)
      throw new TooLarge(
        "text_too_large",
        `The text exceeds the limit of ${MAX_TEXT_CHARACTERS} characters. Divide the document.`,
        { params: { max: MAX_TEXT_CHARACTERS } },
      );
  }
  return text + decoder.decode();
}
