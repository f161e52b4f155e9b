import sql, { raw } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeDocument } from "../../../test/support/documents-database.ts";
import { openPassages, type Passages, vectorOf } from "../../../test/support/passages.ts";
import type { Database } from "../../platform/db/database.ts";
import { measureScope } from "./extent.ts";
import { inScope, type Scope } from "./scope.ts";
import { searchVectors } from "./vector-search.ts";

let passages: Passages;
let db: Database;
beforeAll(async () => {
  passages = await openPassages();
  db = passages.db;
});
afterAll(() => passages[Symbol.asyncDispose]());

test("beyond the exact limit the index serves, and finds nearly all that exact search finds, under a filter too, and where all that it leaves is far away", async () => {
  const [model] = await db.query<{ id: number }>(
    sql`select id from documents.embedding_models where name = 'words'`,
  );
  await db.query(
    sql`create index on documents.embeddings using hnsw ((embedding::vector(8)) vector_cosine_ops)
      where model_id = ${raw(String(model?.id))} and indexed`,
  );
  await db.query(sql`select setseed(0.5)`);
  const ids: Record<string, string> = {};
  for (const [owner, chunks, sign] of [
    ["many", 2_000, 1],
    ["few", 400, 1],
    ["far", 1_000, -1],
  ] as const) {
    const id = await storeDocument(db, { ownerId: owner, fileName: owner });
    const setId = uuidv7();
    ids[owner] = id;
    await db.query(
      sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs) values (${setId}, ${id}, 'current', '', ${chunks}, '{simple}')`,
    );
    const fill = sql`with made as (
        insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
        select gen_random_uuid(), ${setId}, ${id}, n, 'x', 0, 1, 1, '', 1 from generate_series(1, ${chunks}::int) n returning id)
      insert into documents.embeddings (chunk_id, model_id, set_id, embedding, indexed)
      select id, ${model?.id}, ${setId},
        array(select ${sign} * random() from generate_series(1, 8) where id is not null)::vector,
        random() < 0.8
      from made`;
    // a busy machine takes longer than a request may
    await db.tx(() => db.query(fill), { unbounded: true });
  }
  const words = {
    id: model?.id ?? 0,
    name: "words",
    provider: "local",
    dimensions: 8,
    indexType: "vector" as const,
  };
  const vector = [0.9, 0.1, 0.5, 0.3, 0.8, 0.2, 0.7, 0.4];
  const only = (name: string) => ({
    kind: "documents" as const,
    ids: [ids[name] ?? ""],
  });
  for (const scope of [{ kind: "all" }, only("few"), only("far")] satisfies Scope[]) {
    const extent = await measureScope(db, scope, 3_400);
    const found = await db.tx(async () => {
      // so few would be read and sorted
      await db.query(
        sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
      );
      return searchVectors({ db }, words, vector, extent, 10, 100);
    });
    const exact = await db.query<{
      id: string;
    }>(sql`select e.chunk_id as id from documents.embeddings e join documents.chunks c on c.id = e.chunk_id
      join documents.documents d on d.id = c.document_id join documents.chunk_sets s on s.id = c.set_id and s.state = 'current'
      where ${inScope(scope)} order by e.embedding <=> ${JSON.stringify(vector)}::vector limit 10`);
    expect(found).toHaveLength(10);
    expect(
      exact.filter(({ id }) => found.some((one) => one.id === id)).length,
    ).toBeGreaterThanOrEqual(9);
  }
  // as many as where copies displace others
  const everything = await measureScope(db, { kind: "all" }, 3_400);
  expect(await searchVectors({ db }, words, vector, everything, 1_000, 100)).toHaveLength(
    1_000,
  );
});

test("a user with more documents than a statement can name finds passages in all of them and no others, exactly and by the index", async () => {
  const [model] = await db.query<{ id: number }>(
    sql`select id from documents.embedding_models where name = 'words'`,
  );
  const fill = sql`with made as (
      insert into documents.documents (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status)
      select gen_random_uuid(), 'collector', 'default', 'd' || n, 'text/plain', 1, 'c' || n, 'c' || n, 'PROCESSED' from generate_series(1, 1_010) n returning id),
    sets as (insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
      select gen_random_uuid(), id, 'current', '', 1, '{simple}' from made returning id, document_id),
    chunks as (insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
      select gen_random_uuid(), id, document_id, 0, 'rope', 0, 4, 1, to_tsvector('simple', 'rope'), 1 from sets returning id, set_id)
    insert into documents.embeddings (chunk_id, model_id, set_id, embedding, indexed)
      select id, ${model?.id}, set_id, array[random(), random(), random(), random(), random(),
        1 + random(), random(), random()]::vector, random() < 0.8 from chunks`;
  await db.tx(() => db.query(fill), { unbounded: true });
  // a server makes its statistics some time after it was filled
  await db.query(
    sql`analyze documents.documents, documents.chunk_sets, documents.chunks, documents.embeddings`,
  );
  const words = {
    id: model?.id ?? 0,
    name: "words",
    provider: "local",
    dimensions: 8,
    indexType: "vector" as const,
  };
  const own = new Set(
    (
      await db.query<{ id: string }>(sql`select c.id from documents.chunks c
    join documents.documents d on d.id = c.document_id where d.owner_id = 'collector'`)
    ).map(({ id }) => id),
  );
  const extent = await measureScope(
    db,
    { kind: "visible", ownerId: "collector", shared: [] },
    4_000,
  );
  expect(extent).toMatchObject({ chunks: 1_010, share: 1_010 / 4_000 });
  for (const mostExact of [2_000, 100]) {
    const found = await searchVectors(
      { db },
      words,
      vectorOf("rope"),
      extent,
      50,
      mostExact,
    );
    expect(found).toHaveLength(50);
    expect(found.every(({ id }) => own.has(id))).toBe(true);
  }
  const said = await passages.ask(
    { query: "rope", engineName: "hybrid", similarityTopK: 50 },
    { kind: "visible", ownerId: "collector", shared: [] },
  );
  expect(said.results).toHaveLength(50);
  expect(said.results.every(({ metadata }) => own.has(metadata.chunkId))).toBe(true);
});
