import sql from "sql-template-tag";
import { call } from "../../platform/http/call.ts";
import { BadRequest, Conflict, TooLarge, Unavailable } from "../../platform/http/errors.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Files } from "../../platform/files/files.ts";
import { type Chunk, embeddingContract, MAX_TEXT_CHARACTERS } from "../embedding/contract.ts";
import type { ChunkOptions } from "../embedding/contract-jobs.ts";
import { MAX_PREVIEWED, type StoredChunk } from "./contract.ts";
import { findWaiting, settingsOf } from "./processing-store.ts";
import type { UploadDeps } from "./upload-document.ts";

const TIMEOUT_MS = 90_000;

/** The chunks of a document that are searched now, in order. */
export async function listChunks(
  db: Database,
  documentId: string,
  limit: number,
  offset: number,
): Promise<{ items: StoredChunk[]; total: number }> {
  const current = sql`from documents.chunk_sets s join documents.chunks c on c.set_id = s.id
    where s.document_id = ${documentId} and s.state = 'current'`;
  const items =
    await db.query<StoredChunk>(sql`select c.id, c.chunk_index as index, c.content, c.start_offset as start, c.end_offset as "end",
      c.token_count as "tokenCount", coalesce(c.page_number, 1) as "pageNumber", c.headings, c.language, c.translation
    ${current} order by c.chunk_index limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total ${current}`);
  return { items, total: count?.total ?? 0 };
}

/**
 * How a document would be cut.
 * @throws Conflict `not_parsed_yet`, BadRequest for an overlap that leaves nothing, Unavailable
 * without an embedding service.
 */
export async function previewChunks(
  { db, files, embedding }: Pick<UploadDeps, "db" | "files" | "embedding">,
  id: string,
  wanted: Omit<ChunkOptions, "translate">,
  signal: AbortSignal,
): Promise<{ chunks: Chunk[]; totalChunks: number; method: NonNullable<ChunkOptions["method"]> }> {
  if (!embedding)
    throw new Unavailable(
      "embedding_unavailable",
      "There is no embedding service here, so nothing can be cut.",
    );
  const document = await findWaiting(db, id);
  if (!document?.markdownKey)
    throw new Conflict("not_parsed_yet", "The document has not been read yet. Look at its status.");
  const { method, chunkSize, chunkOverlap } = {
    ...(await settingsOf(db, document.folderId)),
    ...wanted,
  };
  if (chunkOverlap !== undefined && chunkSize !== undefined && chunkOverlap >= chunkSize)
    throw new BadRequest("overlap_too_large", "The overlap must be less than the size of a chunk.");
  const body = {
    text: await readText(files, document.markdownKey),
    method,
    chunkSize,
    chunkOverlap,
  };
  const cut = await call(
    embedding,
    embeddingContract.chunk,
    { body },
    { signal, timeoutMs: TIMEOUT_MS },
  );
  return { ...cut, chunks: cut.chunks.slice(0, MAX_PREVIEWED) };
}

async function readText(files: Files, key: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of await files.read(key)) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_TEXT_CHARACTERS)
      throw new TooLarge(
        "text_too_large",
        `The text has more than ${MAX_TEXT_CHARACTERS} characters, the most that is indexed.`,
      );
  }
  return text + decoder.decode();
}
