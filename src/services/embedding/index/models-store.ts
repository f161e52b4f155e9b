import sql, { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { StoredFailure } from "../../../platform/http/reported-error.ts";
import type { ModelReference, EmbeddingModel } from "../models/embedding-model.ts";

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

/**
 * What the work on vectors depends on: the models, the chunks in use and those that are refused.
 * While it stays the same, work that ended has nothing more to do. Reads sets, not their chunks.
 */
export async function stateOfVectors(db: Database): Promise<string> {
  const [row] = await db.query<{ state: string }>(sql`select concat_ws(' ',
    (select md5(string_agg(m::text, ',' order by id)) from documents.embedding_models m),
    (select count(*) from documents.refused_chunks),
    (select concat(count(*), ' ', sum(hashtextextended(id::text, 0)))
      from documents.chunk_sets where state = 'current')) as state`);
  return row?.state ?? "";
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

/** A model to be used, and the server that embeds with it. */
export type WantedModel = Pick<
  EmbeddingModel,
  "name" | "provider" | "dimensions" | "availableModelId" | "server"
>;

interface Row {
  name: string;
  provider: string;
  dimensions: number;
  availableModelId: string | null;
  server: string | null;
}

/** The model that an administrator chose, if one did. */
export async function findChoice(db: Database): Promise<WantedModel | undefined> {
  const [row] = await db.query<Row>(sql`select name, provider, dimensions, server,
    available_model_id as "availableModelId" from documents.embedding_choice`);
  return row && toWanted(row);
}

/** Replaces the choice; without one, the environment names the model. */
export async function saveChoice(
  db: Database,
  choice: WantedModel | undefined,
): Promise<void> {
  await db.query(sql`delete from documents.embedding_choice`);
  if (!choice) return;
  const { name, provider, dimensions, availableModelId = null, server = null } = choice;
  await db.query(sql`insert into documents.embedding_choice
      (name, provider, dimensions, available_model_id, server)
    values (${name}, ${provider}, ${dimensions}, ${availableModelId}, ${server})`);
}

export function toWanted({ availableModelId, server, ...model }: Row): WantedModel {
  return {
    name: model.name,
    provider: model.provider,
    dimensions: model.dimensions,
    ...(availableModelId !== null && { availableModelId }),
    ...(server !== null && { server }),
  };
}

/** Records that a model refuses the text of a chunk, unless the chunk no longer exists. */
export async function recordRefusal(
  db: Database,
  modelId: number,
  chunkId: string,
  code: string,
): Promise<void> {
  await db.query(sql`insert into documents.refused_chunks (chunk_id, model_id, code)
    select id, ${modelId}::smallint, ${code} from documents.chunks where id = ${chunkId}
    on conflict do nothing`);
}

/** Its chunks are tried again: another server, or the same one with other limits, may take them. */
export async function forgetRefusals(db: Database, modelId: number): Promise<void> {
  await db.query(sql`delete from documents.refused_chunks where model_id = ${modelId}`);
}

/** Returns how many chunks in use a model refuses. */
export async function countRefused(db: Database, modelId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from documents.refused_chunks r join documents.chunks c on c.id = r.chunk_id
    join documents.chunk_sets s on s.id = c.set_id and s.state = 'current'
    where r.model_id = ${modelId}`);
  return row?.count ?? 0;
}
