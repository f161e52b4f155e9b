import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeLinesInUse,
} from "../../../../test/support/documents-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { type EmbeddingModel } from "../models/embedding-model.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { adoptModel } from "./adopt-model.ts";
import { repeatedChange } from "./change-model.ts";
import { activeModel, countEmbedded } from "./models-store.ts";

const CHUNKS = 4;
const signal = AbortSignal.timeout(120_000);
let db: Database;
/** The same database, which counts its statements. */
let counted: Database;
let statements = 0;

beforeAll(async () => {
  db = await documentsDatabase();
  counted = {
    ...db,
    query: (...given) => {
      statements += 1;
      return db.query(...given);
    },
  };
  await adoptModel(db, hashedWords());
});
afterAll(() => db[Symbol.asyncDispose]());

const embedded = async () =>
  (await countEmbedded(db, (await activeModel(db))?.id ?? 0)).embedded;

const withModel = (model: EmbeddingModel) => ({
  db: counted,
  models: { configured: model, find: async () => model },
  log: silentLog(),
});

test("a run that left nothing is followed by one question until chunks come without vectors", async () => {
  const run = repeatedChange(withModel(hashedWords()));
  await storeLinesInUse(db, CHUNKS);
  await run(signal);
  expect(await embedded()).toBe(CHUNKS);

  statements = 0;
  await run(signal);
  expect(statements).toBe(1);

  await storeLinesInUse(db, CHUNKS);
  await run(signal);
  expect(await embedded()).toBe(2 * CHUNKS);
});

test("a run that failed is repeated though nothing has changed", async () => {
  let fails = true;
  const model: EmbeddingModel = {
    ...hashedWords(),
    async embed(...given) {
      if (fails) throw new Error("the server is away");
      return hashedWords().embed(...given);
    },
  };
  const run = repeatedChange(withModel(model));
  await storeLinesInUse(db, CHUNKS);
  await expect(run(signal)).rejects.toThrow("the server is away");
  fails = false;
  await run(signal);
  expect(await embedded()).toBe(3 * CHUNKS);
});

test("the choice of another model is carried out", async () => {
  const run = repeatedChange(withModel(hashedWords()));
  await run(signal);
  const next = { ...hashedWords(), name: "another" };
  await adoptModel(db, next);
  const change = repeatedChange(withModel(next));
  await change(signal);
  expect((await activeModel(db))?.name).toBe("another");
  expect(await embedded()).toBe(3 * CHUNKS);
  // vectors of the former model go with the run after the switch, which is a change, too
  await change(signal);
  await change(signal);
  statements = 0;
  await change(signal);
  expect(statements).toBe(1);
});
