import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeLines,
} from "../../../../test/support/documents-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { indexVectors } from "./vector-index.ts";
import { adoptModel } from "./adopt-model.ts";
import { activeModel } from "./models-store.ts";
import { addVectors } from "./sets-store.ts";

let db: Database;
beforeAll(async () => {
  db = await documentsDatabase();
  await adoptModel(db, hashedWords());
});
afterAll(() => db[Symbol.asyncDispose]());

const MAX_EXACT = 20;

async function store(count: number): Promise<void> {
  const { setId, chunks } = await storeLines(db, count);
  const texts = chunks.map(({ content }) => content);
  const vectors = await hashedWords().embed(texts, "passage", AbortSignal.timeout(60_000));
  const model = await activeModel(db);
  const rows = chunks.map(({ id }, n) => ({
    chunkId: id,
    setId,
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
    await indexVectors(
      db,
      { id: model?.id ?? 0, dimensions: 8 },
      AbortSignal.timeout(60_000),
      MAX_EXACT,
    );
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
    AbortSignal.timeout(60_000),
  );
  const stored = JSON.parse(row?.stored ?? "[]") as number[];
  expect(stored.map(Math.fround)).toEqual(vector.map(Math.fround));
});
