import sql, { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { StoredFailure } from "../../../platform/http/reported-error.ts";
import type { ModelReference } from "../models/embedding-model.ts";
import { countRefused } from "./refused-chunks.ts";

/** A model with stored vectors. */
export interface StoredModel extends ModelReference {
  id: number;
  /** The address of the server that embedded its texts last. */
  server: string | null;
  state: "active" | "building" | "retired";
  indexType: "halfvec" | "vector";
  /** Why the last attempt to embed chunks with it failed, while it is the next model. */
  failure: StoredFailure | null;
}

export const MODEL = sql`id, name, provider, dimensions, state, server, failure,
  available_model_id as "availableModelId", index_type as "indexType"`;
/** Serializes decisions about which model is in use. */
export const MODELS_LOCK = sql`select pg_advisory_xact_lock(7161, 40)`;

export async function activeModel(db: Database): Promise<StoredModel | undefined> {
  return (
    await db.query<StoredModel>(
      sql`select ${MODEL} from documents.embedding_models where state = 'active'`,
    )
  )[0];
}

export async function nextModel(db: Database): Promise<StoredModel | undefined> {
  return (
    await db.query<StoredModel>(
      sql`select ${MODEL} from documents.embedding_models where state = 'building'`,
    )
  )[0];
}

/** Whether a model is the one in use or the next one. */
export async function isWanted(db: Database, modelId: number): Promise<boolean> {
  const rows = await db.query(
    sql`select from documents.embedding_models where id = ${modelId} and state <> 'retired'`,
  );
  return rows.length > 0;
}

/** Stores why the next model could not embed; `null` when it could. */
export async function recordFailure(
  db: Database,
  modelId: number,
  failure: StoredFailure | null,
): Promise<void> {
  await db.query(
    sql`update documents.embedding_models set failure = ${failure && jsonb(failure)} where id = ${modelId} and state = 'building'`,
  );
}

/**
 * Replaces the model in use by the next one, if it has embedded everything.
 * @returns whether it did.
 */
export async function switchModel(db: Database, next: StoredModel): Promise<boolean> {
  return db.tx(async () => {
    await db.query(MODELS_LOCK);
    if ((await missingChunks(db, next.id, null, 1)).length > 0) return false;
    await db.query(
      sql`update documents.embedding_models set state = 'retired' where state = 'active'
        and exists (select from documents.embedding_models where id = ${next.id} and state = 'building')`,
    );
    const rows = await db.query(
      sql`update documents.embedding_models set state = 'active', failure = null where id = ${next.id} and state = 'building' returning id`,
    );
    return rows.length > 0;
  });
}

export interface ToEmbed {
  id: string;
  setId: string;
  fileName: string;
  headings: string[];
  content: string;
  translation: string | null;
}

/** Chunks in use that a model has neither embedded nor refused, from an id on. */
export async function missingChunks(
  db: Database,
  modelId: number,
  after: string | null,
  limit: number,
): Promise<ToEmbed[]> {
  return db.query<ToEmbed>(sql`select c.id, c.set_id as "setId", d.file_name as "fileName", c.headings, c.content, c.translation
    from documents.chunks c join documents.chunk_sets s on s.id = c.set_id and s.state = 'current'
    join documents.documents d on d.id = c.document_id
    where (${after}::uuid is null or c.id > ${after}::uuid)
      and not exists (select from documents.embeddings e where e.chunk_id = c.id and e.model_id = ${modelId})
      and not exists (select from documents.refused_chunks r where r.chunk_id = c.id and r.model_id = ${modelId})
    order by c.id limit ${limit}`);
}

/** Removes a batch of vectors of former models. @returns how many. */
export async function removeRetired(db: Database, most: number): Promise<number> {
  const rows =
    await db.query(sql`delete from documents.embeddings where (chunk_id, model_id) in (
    select chunk_id, model_id from documents.embeddings where model_id in (select id from documents.embedding_models where state = 'retired') limit ${most})
    returning chunk_id`);
  if (rows.length > 0) return rows.length;
  const gone = await db.query<{ id: number }>(
    sql`delete from documents.embedding_models where state = 'retired' returning id`,
  );
  for (const { id } of gone)
    await db.query(raw(`drop index if exists documents.embeddings_hnsw_${id}`)); // a number of our own
  return 0;
}

export async function countEmbedded(
  db: Database,
  modelId: number,
): Promise<{ chunks: number; embedded: number; refused: number }> {
  const [row] = await db.query<{ chunks: number; embedded: number }>(sql`select
    (select coalesce(sum(total_chunks), 0)::int from documents.chunk_sets where state = 'current') as chunks,
    (select count(*)::int from documents.embeddings e join documents.chunk_sets s on s.id = e.set_id and s.state = 'current' where e.model_id = ${modelId}) as embedded`);
  return {
    ...(row ?? { chunks: 0, embedded: 0 }),
    refused: await countRefused(db, modelId),
  };
}

/** Returns how many chunks in use a model has to embed before a search can use it. */
export async function countMissing(
  db: Database,
  { name, dimensions }: Pick<ModelReference, "name" | "dimensions">,
): Promise<number> {
  const [stored] = await db.query<{ id: number }>(
    sql`select id from documents.embedding_models
      where (name, dimensions) = (${name}, ${dimensions}::int) and state <> 'retired'`,
  );
  const { chunks, embedded } = await countEmbedded(db, stored?.id ?? 0);
  return Math.max(0, chunks - embedded);
}
