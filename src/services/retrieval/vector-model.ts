import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { Conflict } from "../../platform/http/errors.ts";

/** A model whose vectors are stored. */
export interface VectorModel {
  id: number;
  name: string;
  provider: string;
  dimensions: number;
  /** The number type of its index. */
  indexType: "halfvec" | "vector";
}

/** Returns the active model; undefined before the first document was embedded. */
export async function activeModel(db: Database): Promise<VectorModel | undefined> {
  const [model] = await db.query<VectorModel>(
    sql`select id, name, provider, dimensions, index_type as "indexType" from documents.embedding_models where state = 'active'`,
    { name: "retrieval-active-model" },
  );
  return model;
}

/** Returns whether another model is replacing the active one. */
export async function isModelChanging(db: Database): Promise<boolean> {
  return (
    (await db.query(sql`select from documents.embedding_models where state = 'building'`))
      .length > 0
  );
}

/**
 * Checks that a vector can be compared with the stored ones.
 * @throws Conflict `embedding_mismatch`.
 */
export function checkComparable(
  model: VectorModel,
  vector: readonly number[],
  name: string | undefined,
): void {
  if (vector.length === model.dimensions && (name === undefined || name === model.name))
    return;
  const source = name ? ` of ${name}` : "";
  throw new Conflict(
    "embedding_mismatch",
    `The stored vectors are of ${model.name} with ${model.dimensions} dimensions; ` +
      `this one has ${vector.length}${source}. Embed the query with the same model.`,
  );
}
