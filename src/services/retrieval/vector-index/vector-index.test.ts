import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeDocument } from "../../../../test/support/documents-database.ts";
import { openPassages, type Passages } from "../../../../test/support/passages.ts";
import type { Database } from "../../../platform/db/database.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { measureScope } from "../extent.ts";
import type { Scope } from "../scope.ts";
import { activeModel, type VectorModel } from "../vector-model.ts";
import { searchVectors } from "../vector-search.ts";
import { openVectorIndex, type VectorIndex } from "./vector-index.ts";

let passages: Passages;
let db: Database;
let model: VectorModel;
let folder: string;
let index: VectorIndex;
const signal = new AbortController().signal;
const QUESTION = [0.9, -0.1, 0.5, 0.3, -0.8, 0.2, 0.7, 0.4];

beforeAll(async () => {
  passages = await openPassages();
  db = passages.db;
  const active = await activeModel(db);
  if (!active) throw new Error("no model is in use");
  model = active;
  folder = join(await mkdtemp(join(tmpdir(), "vectors-")), "index");
  for (const [owner, documents] of [
    ["ada", 30],
    ["bob", 3],
  ] as const)
    for (let n = 0; n < documents; n += 1) await store(owner, 40);
  index = open();
});
afterAll(async () => {
  await index[Symbol.asyncDispose]();
  await passages[Symbol.asyncDispose]();
  await rm(join(folder, ".."), { recursive: true });
});

function open(): VectorIndex {
  return openVectorIndex({ db, folder, log: silentLog() });
}

/** Stores a document with chunks of random vectors. @returns its id. */
async function store(ownerId: string, chunks: number): Promise<string> {
  const id = await storeDocument(db, { ownerId, fileName: uuidv7() });
  const setId = uuidv7();
  await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
    values (${setId}, ${id}, 'current', '', ${chunks}, '{simple}')`);
  await db.query(sql`with made as (
      insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
      select gen_random_uuid(), ${setId}, ${id}, n, 'x', 0, 1, 1, '', 1 from generate_series(1, ${chunks}::int) n returning id)
    insert into documents.embeddings (chunk_id, model_id, set_id, embedding)
    select id, ${model.id}, ${setId}, array(select random() - 0.5 from generate_series(1, 8) where id is not null)::vector from made`);
  return id;
}

const visibleTo = (ownerId: string): Scope => ({ kind: "visible", ownerId, shared: [] });

/** What the index finds beside what the database finds without it. */
async function search(scope: Scope, limit = 20, by: VectorIndex = index) {
  const extent = await measureScope(db, scope, 5_000);
  const near = await by.search(model, {
    vector: QUESTION,
    wanted: extent.wanted ?? Buffer.alloc(0),
    limit: 100,
  });
  const found = await searchVectors(
    { db, vectorIndex: by },
    model,
    QUESTION,
    extent,
    limit,
  );
  const exact = await searchVectors({ db }, model, QUESTION, extent, limit);
  return { near, found, exact };
}

// a server has an index of its own
const isEmbedded = process.env["DATABASE_URL"] === undefined;

test.runIf(isEmbedded)(
  "finds what comparing all of them finds, for each who asks, also of sets that it lacks",
  async () => {
    for (const owner of ["ada", "ada", "bob"]) {
      const { found, exact } = await search(visibleTo(owner));
      expect(found).toEqual(exact);
      expect(found).toHaveLength(20);
    }
    await index.keepInStep(signal);
    const { near, found, exact } = await search({ kind: "all" });
    expect(near?.lacking.chunks).toBe(0);
    expect(found).toEqual(exact);
  },
);

test.runIf(isEmbedded)(
  "a document that is new is found at once, and one that is deleted is forgotten",
  async () => {
    await index.keepInStep(signal);
    const id = await store("ada", 40);
    const before = await search(visibleTo("ada"), 100);
    expect(before.near?.lacking.chunks).toBe(40);
    expect(before.found).toEqual(before.exact);
    await index.keepInStep(signal);
    const inStep = await search(visibleTo("ada"), 100);
    expect(inStep.near?.lacking.chunks).toBe(0);
    expect(inStep.found).toEqual(inStep.exact);
    const chunks = await db.query<{ id: string }>(
      sql`select id from documents.chunks where document_id = ${id}`,
    );
    const wanted = (await measureScope(db, { kind: "documents", ids: [id] }, 5_000)).wanted;
    await db.query(sql`delete from documents.documents where id = ${id}`);
    await index.keepInStep(signal);
    const gone = await index.search(model, {
      vector: QUESTION,
      wanted: wanted ?? Buffer.alloc(0),
      limit: 5_000,
    });
    expect(chunks).toHaveLength(40);
    expect(gone?.ids).toEqual([]);
  },
);

test.runIf(isEmbedded)("chunks that are embedded later are found later", async () => {
  const id = await store("ada", 40);
  await db.query(sql`delete from documents.embeddings where chunk_id in (
    select id from documents.chunks where document_id = ${id} order by id limit 5)`);
  await index.keepInStep(signal);
  const scope: Scope = { kind: "documents", ids: [id] };
  const { wanted } = await measureScope(db, scope, 5_000);
  const ask = () =>
    index.search(model, {
      vector: QUESTION,
      wanted: wanted ?? Buffer.alloc(0),
      limit: 100,
    });
  expect((await ask())?.ids).toHaveLength(35);
  await db.query(sql`insert into documents.embeddings (chunk_id, model_id, set_id, embedding)
    select id, ${model.id}, set_id, '[1,1,1,1,1,1,1,1]'::vector from documents.chunks c where document_id = ${id}
    on conflict do nothing`);
  await expect
    .poll(async () => (await ask())?.ids.length, { timeout: 60_000, interval: 500 })
    .toBe(40);
});

test.runIf(isEmbedded)(
  "is read from its file at the next start, and made again without one that is whole",
  async () => {
    await index.keepInStep(signal);
    await index[Symbol.asyncDispose]();
    const [name = ""] = await readdir(folder);
    for (const damage of [undefined, "damaged"]) {
      if (damage) await writeFile(join(folder, name), damage);
      index = open();
      const { near, found, exact } = await search(visibleTo("ada"));
      expect(near?.lacking.chunks === 0).toBe(damage === undefined);
      expect(found).toEqual(exact);
      await index[Symbol.asyncDispose]();
    }
    index = open();
  },
);

test.runIf(isEmbedded)(
  "another model has another file, and few chunks have none",
  async () => {
    await index.keepInStep(signal);
    const [former = ""] = await readdir(folder);
    await db.query(
      sql`update documents.embedding_models set state = 'retired' where id = ${model.id}`,
    );
    const [made] = await db.query<{ id: number }>(
      sql`insert into documents.embedding_models (name, provider, dimensions, state, index_type)
      values ('others', 'local', 8, 'active', 'vector') returning id`,
    );
    await db.query(sql`update documents.embeddings set model_id = ${made?.id}`);
    await index.keepInStep(signal);
    expect(await readdir(folder)).toEqual([`vectors-${made?.id}`]);
    expect(former).toBe(`vectors-${model.id}`);
    model = { ...model, id: made?.id ?? 0, name: "others" };
    const { found, exact } = await search(visibleTo("ada"));
    expect(found).toEqual(exact);
    await db.query(sql`delete from documents.documents`);
    await index.keepInStep(signal);
    expect(existsSync(folder)).toBe(false);
  },
);
