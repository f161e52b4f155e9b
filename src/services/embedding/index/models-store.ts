import sql, { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { LOCAL_PROVIDER } from "../contract.ts";
import type { EmbeddingModel } from "../models/embedding-model.ts";
import { countRefused, forgetRefusals } from "./refused-chunks.ts";

/** A model that vectors are stored of. */
export interface StoredModel {
  id: number;
  name: string;
  provider: string;
  dimensions: number;
  state: "active" | "building" | "retired";
  indexType: "halfvec" | "vector";
  /** Why the last attempt to embed chunks with it failed, while it is the next one. */
  failure: ChangeFailure | null;
}

export interface ChangeFailure {
  code: string;
  message: string;
}

const MODEL = sql`id, name, provider, dimensions, state, index_type as "indexType", failure`;
/** One at a time decides which model is in use. */
const LOCK = sql`select pg_advisory_xact_lock(7161, 40)`;
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
 * Makes the configured model the one in use when there is none, or otherwise the next one, which
 * takes its place when it has embedded everything. Several processes may start at once.
 */
export async function adoptModel(
  db: Database,
  { name, provider, dimensions }: EmbeddingModel,
): Promise<void> {
  await db.tx(
    async () => {
      await db.query(LOCK);
      const models = await db.query<StoredModel>(
        sql`select ${MODEL} from documents.embedding_models`,
      );
      const active = models.find(({ state }) => state === "active");
      const same = (one: StoredModel) => one.name === name && one.dimensions === dimensions;
      await db.query(
        sql`update documents.embedding_models set state = 'retired' where state = 'building' and (name, dimensions) <> (${name}, ${dimensions}::int)`,
      );
      if (active && same(active)) {
        await forgetRefusals(db, active.id);
        // the same model at another server: its vectors are comparable
        await db.query(
          sql`update documents.embedding_models set provider = ${provider} where id = ${active.id} and provider <> ${provider}`,
        );
        return;
      }
      const state = active ? "building" : "active";
      await db.query(sql`insert into documents.embedding_models (name, provider, dimensions, state, index_type)
          values (${name}, ${provider}, ${dimensions}, ${state}, case when version() like '%wasm%' then 'vector' else 'halfvec' end)
      on conflict (name, dimensions) do update set state = excluded.state, provider = excluded.provider, failure = null`);
      const [made] = await db.query<StoredModel>(
        sql`select ${MODEL} from documents.embedding_models where (name, dimensions) = (${name}, ${dimensions}::int)`,
      );
      if (!made) return;
      await forgetRefusals(db, made.id);
      await indexModel(db, made);
    },
    { unbounded: true },
  );
}

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

/** Records why the next model could not embed, or with `null` that it can. */
export async function recordFailure(
  db: Database,
  modelId: number,
  failure: ChangeFailure | null,
): Promise<void> {
  await db.query(
    sql`update documents.embedding_models set failure = ${failure && jsonb(failure)} where id = ${modelId} and state = 'building'`,
  );
}

/**
 * The next model takes the place of the one in use, if nothing is left that it has not embedded.
 * @returns whether it did.
 */
export async function switchModel(db: Database, next: StoredModel): Promise<boolean> {
  return db.tx(async () => {
    await db.query(LOCK);
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

/** Removes vectors of models that nobody asks any more, some at a time. @returns how many. */
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
