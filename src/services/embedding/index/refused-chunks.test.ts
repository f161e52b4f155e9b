import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { EmbeddingModels } from "../models/config.ts";
import { type EmbeddingModel, TextRefused } from "../models/embedding-model.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { changeModel } from "./change-model.ts";
import { activeModel, adoptModel, countEmbedded, nextModel } from "./models-store.ts";
import { addChunks, closeChunks, openSet } from "./sets-store.ts";

const CHUNKS = 20;
const signal = AbortSignal.timeout(120_000);
let db: Database;

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "documents",
    folder: new URL("../../documents/migrations/", import.meta.url),
    log: silentLog(),
  });
  await adoptModel(db, hashedWords());
  await store();
  await change(hashedWords());
});
afterAll(() => db[Symbol.asyncDispose]());

/** A document in use, of chunks that no model has embedded. */
async function store(): Promise<void> {
  const documentId = uuidv7();
  await db.query(sql`insert into documents.documents
      (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status)
    values (${documentId}, 'ada', 'default', 'a', 'text/plain', 1, ${documentId}, ${documentId},
      'PROCESSED')`);
  const set = await openSet(db, uuidv7(), documentId, "one");
  if (!set) throw new Error("the document was not stored");
  const chunks = Array.from({ length: CHUNKS }, (_, index) => ({
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
  await closeChunks(db, set.id, CHUNKS, []);
  await db.query(
    sql`update documents.chunk_sets set state = 'current' where id = ${set.id}`,
  );
}

/** Hashed words, under a name; texts that `refuses` names are too long for it. */
function modelThatRefuses(
  name: string,
  refuses: (text: string) => boolean,
): EmbeddingModel {
  const inner = hashedWords();
  return {
    ...inner,
    name,
    maxBatchSize: 8,
    async embed(texts, ...rest) {
      if (texts.some(refuses))
        throw new TextRefused("embedding_too_large", "A text is too long for the model.");
      return inner.embed(texts, ...rest);
    },
  };
}

function change(model: EmbeddingModel): Promise<void> {
  const all = [model, hashedWords()];
  const models: EmbeddingModels = {
    configured: model,
    find: (name) => all.find((one) => one.name === name),
  };
  return changeModel({ db, models, log: silentLog() }, signal);
}

const countsOf = async (find: typeof activeModel) => {
  const stored = await find(db);
  return { name: stored?.name, ...(await countEmbedded(db, stored?.id ?? 0)) };
};

test("a change stays open when the model refuses every text, and says so", async () => {
  const model = modelThatRefuses("refuses-all", () => true);
  await adoptModel(db, model);
  await expect(change(model)).rejects.toMatchObject({ code: "embedding_refuses_all" });
  expect(await nextModel(db)).toMatchObject({ failure: { code: "embedding_refuses_all" } });
  expect(await countsOf(nextModel)).toMatchObject({ embedded: 0, refused: 0 });
});

test("a change stays open when the model refuses all that is stored", async () => {
  const model = modelThatRefuses("refuses-stored", (text) => text.startsWith("line"));
  await adoptModel(db, model);
  await expect(change(model)).rejects.toMatchObject({ code: "embedding_refuses_all" });
  expect(await countsOf(nextModel)).toMatchObject({ embedded: 0, refused: CHUNKS });
  expect((await activeModel(db))?.name).toBe("hashed-words-v1");
});

test("a change ends without the chunks that the model refuses, counts them, and tries them again at the next start", async () => {
  const model = modelThatRefuses("refuses-some", (text) => /^line (0|13)$/.test(text));
  await adoptModel(db, model);
  await change(model);
  const counts = { name: "refuses-some", chunks: CHUNKS };
  expect(await countsOf(activeModel)).toEqual({ ...counts, embedded: 18, refused: 2 });
  await change(model);
  expect(await countsOf(activeModel)).toEqual({ ...counts, embedded: 18, refused: 2 });

  await adoptModel(db, model);
  const wider = modelThatRefuses("refuses-some", (text) => text === "line 0");
  await change(wider);
  expect(await countsOf(activeModel)).toEqual({ ...counts, embedded: 19, refused: 1 });
});
