import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../src/platform/db/database.ts";
import type {
  RetrieveRequest,
  RetrieveResponse,
} from "../../src/services/retrieval/contract-retrieve.ts";
import type { Reranker } from "../../src/services/retrieval/rerank/reranker.ts";
import { retrieve } from "../../src/services/retrieval/retrieve.ts";
import type { Scope } from "../../src/services/retrieval/scope.ts";
import { createTermStatistics } from "../../src/services/retrieval/term-statistics.ts";
import { documentsDatabase, storeDocument } from "./documents-database.ts";

/** Vectors that are easy to reckon with: one dimension for each word. */
export const WORDS = ["tea", "harbour", "lamp", "storm", "cat", "rope", "whale", "island"];
export const vectorOf = (text: string) => {
  const vector = WORDS.map((word) => (text.toLowerCase().includes(word) ? 1 : 0.01));
  // a text without any of them is like no other
  return vector.includes(1)
    ? vector
    : vector.map((value, index) => (index === text.length % 8 ? -1 : value));
};

/** A database of passages with vectors, and questions to it. */
export interface Passages extends AsyncDisposable {
  db: Database;
  /** Ids by file name. */
  documents: Record<string, string>;
  /** Stores a document with a passage for each of the contents. */
  store(
    ownerId: string,
    fileName: string,
    contents: string[],
    configuration?: string,
    state?: string,
  ): Promise<void>;
  /** `model`: which one embeds the question. */
  ask(
    request: Partial<RetrieveRequest> & { window?: number },
    scope?: Scope,
    rerank?: Reranker,
    model?: string | (() => string),
  ): Promise<RetrieveResponse>;
}

export async function openPassages(): Promise<Passages> {
  const db = await documentsDatabase();
  await db.query(
    sql`insert into documents.embedding_models (name, provider, dimensions, state, index_type) values ('words', 'local', 8, 'active', 'vector')`,
  );
  const documents: Record<string, string> = {};
  return {
    db,
    documents,
    async store(ownerId, fileName, contents, configuration = "english", state = "current") {
      const id = await storeDocument(db, { ownerId, fileName });
      const setId = uuidv7();
      documents[fileName] = id;
      await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
        values (${setId}, ${id}, ${state}, '', ${contents.length}, ${[configuration]})`);
      for (const [index, content] of contents.entries()) {
        const chunkId = uuidv7();
        await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, page_number, start_offset, end_offset, token_count, search, search_length)
          values (${chunkId}, ${setId}, ${id}, ${index}, ${content}, ${index + 1}, 0, ${content.length}, 5, to_tsvector(${configuration}::regconfig, ${content}), 5)`);
        await db.query(sql`insert into documents.embeddings (chunk_id, model_id, set_id, embedding)
          select ${chunkId}, id, ${setId}, ${JSON.stringify(vectorOf(content))}::vector from documents.embedding_models where name = 'words'`);
      }
    },
    ask: (request, scope = { kind: "all" }, rerank = nobody, model = "words") =>
      retrieve(
        {
          db,
          statistics: createTermStatistics(db),
          rerank,
          localProvider: "local",
          async embedding(asked) {
            const { text } = (await asked.json()) as { text: string };
            const name = typeof model === "string" ? model : model();
            return Response.json({ embedding: vectorOf(text), model: name, dimensions: 8 });
          },
        },
        {
          query: "tea",
          grade: 0,
          similarityTopK: 5,
          engineName: "default",
          window: 0,
          userId: undefined,
          ...request,
        },
        scope,
        new AbortController().signal,
      ),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

export const NOBODY = { code: "reranker_failed", message: "nobody" };
export const nobody: Reranker = async () => ({ failure: NOBODY });

export const names = ({ results }: RetrieveResponse) =>
  results.map(({ metadata }) => `${metadata.fileName} ${metadata.chunkIndex}`);
