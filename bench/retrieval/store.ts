import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { readConfig } from "../../src/platform/config/read-config.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { createWorkers } from "../../src/platform/workers/workers.ts";
import { termsOf } from "../../src/services/embedding/contract-terms.ts";
import { textConfigOf } from "../../src/services/embedding/contract-words.ts";
import { adoptModel } from "../../src/services/embedding/index/adopt-model.ts";
import { activeModel } from "../../src/services/embedding/index/models-store.ts";
import {
  addChunks,
  addVectors,
  closeChunks,
  openSet,
} from "../../src/services/embedding/index/sets-store.ts";
import { createTextAnalysis } from "../../src/services/embedding/index/text-analysis.ts";
import {
  embeddingModelConfig,
  environmentModels,
} from "../../src/services/embedding/models/config.ts";
import type { EmbeddingModel } from "../../src/services/embedding/models/embedding-model.ts";
import { createTermStatistics } from "../../src/services/retrieval/term-statistics.ts";
import type { RetrieveDeps } from "../../src/services/retrieval/retrieve.ts";
import { LOCAL_PROVIDER } from "../../src/services/embedding/contract.ts";
import { detectLanguage } from "../../src/platform/detect-language.ts";
import type { Reranker } from "../../src/services/retrieval/rerank/reranker.ts";

const EMBED_TIMEOUT_MS = 120_000;

/**
 * The embedding model that the environment names (EMBEDDING_PROVIDER and its companions), else the
 * local one.
 */
export function configuredModel(): EmbeddingModel {
  const { embedding } = readConfig({ embedding: embeddingModelConfig }, process.env);
  const workers = createWorkers({ size: 1 });
  return environmentModels(embedding, { outgoing: { fetch }, workers }).configured;
}

export async function openStore(db: Database, model: EmbeddingModel): Promise<void> {
  await migrate(db, {
    schema: "documents",
    folder: new URL("../../src/services/documents/migrations/", import.meta.url),
    log: silentLog(),
  });
  await adoptModel(db, model);
}

/**
 * One document whose chunks are these texts.
 * @returns its id, and the chunks' ids in the order of the texts.
 */
export async function storeDocument(
  db: Database,
  embedding: EmbeddingModel,
  name: string,
  texts: readonly string[],
): Promise<{ documentId: string; chunkIds: string[] }> {
  const documentId = uuidv7();
  const key = uuidv7();
  await db.query(sql`insert into documents.documents (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status)
    values (${documentId}, 'bench', 'default', ${name}, 'text/plain', 1, ${key}, ${key}, 'PROCESSED')`);
  const set = await openSet(db, uuidv7(), documentId, key);
  const model = await activeModel(db);
  if (!set || !model) throw new Error("the store is not open");
  const { language } = await detectLanguage(texts.join("\n").slice(0, 8_000));
  const chunkIds: string[] = [];
  const analyse = createTextAnalysis(db);
  for (let at = 0; at < texts.length; at += 200) {
    const group = texts.slice(at, at + 200);
    const textConfig = textConfigOf(language);
    const analysed = await analyse(
      group.map((content) => ({ terms: termsOf(content), textConfig })),
    );
    const chunks = group.map((content, n) => ({
      id: uuidv7(),
      index: at + n,
      content,
      language,
      ...(analysed[n] ?? { search: "", searchLength: 0 }),
      start: 0,
      end: content.length,
      tokenCount: 1,
      pageNumber: 1,
      headings: [],
    }));
    await addChunks(db, set, chunks);
    const made: number[][] = [];
    for (let from = 0; from < chunks.length; from += embedding.maxBatchSize) {
      const batch = chunks
        .slice(from, from + embedding.maxBatchSize)
        .map(({ content }) => content);
      made.push(
        ...(await embedding.embed(batch, "passage", AbortSignal.timeout(EMBED_TIMEOUT_MS))),
      );
    }
    await addVectors(
      db,
      model.id,
      chunks.map(({ id }, n) => ({ chunkId: id, setId: set.id, vector: made[n] ?? [] })),
    );
    chunkIds.push(...chunks.map(({ id }) => id));
  }
  await closeChunks(db, set.id, texts.length, [textConfigOf(language)]);
  await db.query(
    sql`update documents.chunk_sets set state = 'current' where id = ${set.id}`,
  );
  return { documentId, chunkIds };
}

/** Retrieval over the store, its questions embedded here. */
export function retrievalOver(
  db: Database,
  model: EmbeddingModel,
  rerank: Reranker,
): RetrieveDeps {
  return {
    db,
    statistics: createTermStatistics(db),
    rerank,
    localProvider: LOCAL_PROVIDER,
    async embedding(request) {
      const { text } = (await request.json()) as { text: string };
      const [embedding] = await model.embed([text], "query", request.signal);
      return Response.json({ embedding, model: model.name, dimensions: model.dimensions });
    },
  };
}
