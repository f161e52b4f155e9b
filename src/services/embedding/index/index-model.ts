import { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { LOCAL_PROVIDER } from "../contract.ts";
import type { StoredModel } from "./models-store.ts";

/**
 * `m`: links per vector. `ef_construction`: candidates while the graph is built. WebAssembly builds
 * at a tenth of native speed. Hashed words are nearly equally distant from each other, so a thinner
 * graph loses a tenth of the nearest (docs/retrieval.md).
 */
const HNSW = {
  halfvec: "m = 24, ef_construction = 128",
  vector: "m = 16, ef_construction = 64",
};
const HNSW_OF_HASHES = { halfvec: "m = 40, ef_construction = 256", vector: HNSW.vector };

/**
 * Makes the HNSW index of a model. With half-precision numbers a page of the index holds three
 * vectors instead of one, and the order of the nearest is the same. The index starts empty:
 * `indexVectors` fills it.
 */
export async function indexModel(
  db: Database,
  { id, provider, dimensions, indexType }: StoredModel,
): Promise<void> {
  const links = (provider === LOCAL_PROVIDER ? HNSW_OF_HASHES : HNSW)[indexType];
  // only numbers and identifiers from this file
  await db.query(
    raw(`create index if not exists embeddings_hnsw_${id} on documents.embeddings
      using hnsw ((embedding::${indexType}(${dimensions})) ${indexType}_cosine_ops) with (${links}) where model_id = ${id} and indexed`),
  );
}
