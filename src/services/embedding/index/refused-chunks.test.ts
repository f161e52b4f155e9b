import { afterAll, beforeAll, expect, test } from "vitest";
import {
  documentsDatabase,
  storeLinesInUse,
} from "../../../../test/support/documents-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import type { EmbeddingModels } from "../models/all-models.ts";
import { type EmbeddingModel, TextRefused } from "../models/embedding-model.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { adoptModel, cancelChange, chooseModel } from "./adopt-model.ts";
import { changeModel } from "./change-model.ts";
import { activeModel, countEmbedded, nextModel } from "./models-store.ts";

const CHUNKS = 20;
const signal = AbortSignal.timeout(120_000);
let db: Database;

beforeAll(async () => {
  db = await documentsDatabase();
  await adoptModel(db, hashedWords());
  await storeLinesInUse(db, CHUNKS);
  await change(hashedWords());
});
afterAll(() => db[Symbol.asyncDispose]());

/** A model of hashed words for which some texts are too long. */
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

function change(model: EmbeddingModel): Promise<boolean> {
  const all = [model, hashedWords()];
  const models: EmbeddingModels = {
    configured: model,
    find: async ({ name }) => all.find((one) => one.name === name),
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

test("a change ends without the chunks that the model refuses, counts them, and tries them again when it is chosen again", async () => {
  const model = modelThatRefuses("refuses-some", (text) => /^line (0|13)$/.test(text));
  await adoptModel(db, model);
  await change(model);
  const counts = { name: "refuses-some", chunks: CHUNKS };
  expect(await countsOf(activeModel)).toEqual({ ...counts, embedded: 18, refused: 2 });
  await change(model);
  expect(await countsOf(activeModel)).toEqual({ ...counts, embedded: 18, refused: 2 });

  await adoptModel(db, model);
  expect(await countsOf(activeModel)).toEqual({ ...counts, embedded: 18, refused: 2 });
  await chooseModel(db, model, model);
  const wider = modelThatRefuses("refuses-some", (text) => text === "line 0");
  await change(wider);
  expect(await countsOf(activeModel)).toEqual({ ...counts, embedded: 19, refused: 1 });
});

test("a cancelled change embeds no further batch", async () => {
  const inner = modelThatRefuses("cancelled", () => false);
  let batches = 0;
  const model: EmbeddingModel = {
    ...inner,
    async embed(...asked) {
      batches += 1;
      await cancelChange(db, model);
      return inner.embed(...asked);
    },
  };
  const before = await activeModel(db);
  await adoptModel(db, model);
  await change(model);
  expect(batches).toBe(1);
  expect(await nextModel(db)).toBeUndefined();
  expect(await activeModel(db)).toMatchObject({ id: before?.id });
});
