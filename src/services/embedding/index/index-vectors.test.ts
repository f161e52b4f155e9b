import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { indexVectors } from "./index-vectors.ts";
import { activeModel, adoptModel } from "./models-store.ts";
import { addChunks, addVectors, openSet } from "./sets-store.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "documents",
    folder: new URL("../../documents/migrations/", import.meta.url),
    log: silentLog(),
  });
  await adoptModel(db, hashedWords());
});
afterAll(() => db[Symbol.asyncDispose]());

const MAX_EXACT = 20;

async function store(count: number): Promise<void> {
  const documentId = uuidv7();
  await db.query(sql`insert into documents.documents
      (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status)
    values (${documentId}, 'ada', 'default', 'a', 'text/plain', 1, ${documentId}, ${documentId},
      'PROCESSED')`);
  const set = await openSet(db, uuidv7(), documentId, "one");
  if (!set) throw new Error("the document was not stored");
  const chunks = Array.from({ length: count }, (_, index) => ({
    id: uuidv7(),
    index,
    content: `line ${index}`,
    language: null,
    search: "",
    searchLength: 0,
    start: 0,
    end: 1,
    tokenCount: 1,
    pageNumber: 1,
    headings: [],
  }));
  await addChunks(db, set, chunks);
  const texts = chunks.map(({ content }) => content);
  const vectors = await hashedWords().embed(texts, "passage", AbortSignal.timeout(60_000));
  const model = await activeModel(db);
  const rows = chunks.map(({ id }, n) => ({
    chunkId: id,
    setId: set.id,
    vector: vectors[n] ?? [],
  }));
  await addVectors(db, model?.id ?? 0, rows);
}

const countUnindexed = async () => {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from documents.embeddings where not indexed`,
  );
  return row?.count;
};

test("adds vectors to the index only when there are more than an exact search compares", async () => {
  const run = async () => {
    const model = await activeModel(db);
    await indexVectors(db, { id: model?.id ?? 0 }, AbortSignal.timeout(60_000), MAX_EXACT);
  };
  await store(MAX_EXACT);
  await run();
  expect(await countUnindexed()).toBe(MAX_EXACT);
  await store(MAX_EXACT);
  await run();
  expect(await countUnindexed()).toBe(0);
  await store(1);
  await run();
  expect(await countUnindexed()).toBe(1);
});

test("stores vectors with the precision of four-byte numbers", async () => {
  const [row] = await db.query<{ stored: string; length: number }>(sql`select
      embedding::text as stored, vector_dims(embedding) as length
    from documents.embeddings e join documents.chunks c on c.id = e.chunk_id
    where c.content = 'line 7' limit 1`);
  const [vector = []] = await hashedWords().embed(
    ["line 7"],
    "passage",
    AbortSignal.timeout(9_000),
  );
  const stored = JSON.parse(row?.stored ?? "[]") as number[];
  expect(stored.map(Math.fround)).toEqual(vector.map(Math.fround));
});
