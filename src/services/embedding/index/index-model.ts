import { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { LOCAL_PROVIDER } from "../contract.ts";
import type { StoredModel } from "./models-store.ts";

/**
 * Links of a vector, and candidates while it is built. WebAssembly has a tenth of a processor's
 * speed here. Hashes of words are as far from each other as they can be, so that a thinner graph
 * loses a tenth of the nearest (docs/retrieval.md).
 */
const HNSW = {
  halfvec: "m = 24, ef_construction = 128",
  vector: "m = 16, ef_construction = 64",
};
const HNSW_OF_HASHES = { halfvec: "m = 40, ef_construction = 256", vector: HNSW.vector };

/**
 * Makes the HNSW index of a model. With half-precision numbers a page of the index holds three
 * vectors instead of one, and the nearest have the same order. The index starts empty:
 * `indexVectors` fills it.
 */
export async function indexModel(
  db: Database,
  { id, provider, dimensions, indexType }: StoredModel,
): Promise<void> {
  const links = (provider === LOCAL_PROVIDER ? HNSW_OF_HASHES : HNSW)[indexType];
  // numbers and words of our own
  await db.query(
    raw(`create index if not exists embeddings_hnsw_${id} on documents.embeddings
      using hnsw ((embedding::${indexType}(${dimensions})) ${indexType}_cosine_ops) with (${links}) where model_id = ${id} and indexed`),
  );
}
