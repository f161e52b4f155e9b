import sql from "sql-template-tag";
import { afterAll, beforeEach, expect, test } from "vitest";
import { documentsDatabase } from "../../../../test/support/documents-database.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { adoptModel, cancelChange, chooseModel } from "./adopt-model.ts";
import { changeModel } from "./change-model.ts";
import { type WantedModel, activeModel, nextModel, switchModel } from "./models-store.ts";

const db = await documentsDatabase();
afterAll(() => db[Symbol.asyncDispose]());

const aModel = (name: string, of: Partial<WantedModel> = {}): WantedModel => ({
  name,
  provider: "openai",
  dimensions: 8,
  ...of,
});
const configured = aModel("configured");
const chosen = aModel("chosen", { availableModelId: "openai/chosen", server: "https://a" });

beforeEach(async () => {
  await db.query(sql`delete from documents.embedding_models`);
  await db.query(sql`delete from documents.embedding_choice`);
  await adoptModel(db, configured);
});
const state = async () => ({
  active: (await activeModel(db))?.name,
  next: (await nextModel(db))?.name,
});
const finish = async () => {
  const next = await nextModel(db);
  return next && switchModel(db, next);
};

test("a chosen model replaces the configured one, also when another process starts", async () => {
  await chooseModel(db, chosen, configured);
  expect(await state()).toEqual({ active: "configured", next: "chosen" });
  await adoptModel(db, aModel("configured"));
  expect(await state()).toEqual({ active: "configured", next: "chosen" });
  expect(await finish()).toBe(true);
  await adoptModel(db, configured);
  expect(await state()).toEqual({ active: "chosen", next: undefined });
  expect(await activeModel(db)).toMatchObject({ availableModelId: "openai/chosen" });
});

test("once the configured model is chosen, the environment names the model again", async () => {
  await chooseModel(db, chosen, configured);
  await chooseModel(db, configured, configured);
  expect(await state()).toEqual({ active: "configured", next: undefined });
  await adoptModel(db, aModel("another"));
  expect(await state()).toEqual({ active: "configured", next: "another" });
});

test("of two choices at once the last one counts, and one model is the next", async () => {
  const names = ["one", "two", "three", "four"];
  await Promise.all(names.map((name) => chooseModel(db, aModel(name), configured)));
  const { next = "" } = await state();
  expect(names).toContain(next);
  await adoptModel(db, configured);
  expect(await state()).toEqual({ active: "configured", next });
});

test("a cancelled change leaves the model in use, also after a start", async () => {
  await chooseModel(db, chosen, configured);
  await cancelChange(db, configured);
  expect(await state()).toEqual({ active: "configured", next: undefined });
  await expect(cancelChange(db, configured)).rejects.toMatchObject({
    code: "embedding_change_absent",
  });

  const renamed = aModel("renamed");
  await adoptModel(db, renamed);
  await cancelChange(db, renamed);
  await adoptModel(db, renamed);
  expect(await state()).toEqual({ active: "configured", next: undefined });
});

test("the same model by another entry of the catalogue needs no change", async () => {
  await chooseModel(db, { ...configured, availableModelId: "other/it" }, configured);
  expect(await state()).toEqual({ active: "configured", next: undefined });
  expect(await activeModel(db)).toMatchObject({ availableModelId: "other/it" });
});

test("a change to a model that the catalogue lost says so, and waits", async () => {
  await chooseModel(db, chosen, configured);
  const model = { ...hashedWords(8), name: "configured" };
  const models = {
    configured: model,
    find: async ({ name }: { name: string }) => (name === model.name ? model : undefined),
  };
  await changeModel({ db, models, log: silentLog() }, AbortSignal.timeout(60_000));
  expect(await state()).toEqual({ active: "configured", next: "chosen" });
  expect(await nextModel(db)).toMatchObject({ failure: { code: "embedding_model_gone" } });
});
