import { afterAll, beforeAll, expect, test } from "vitest";
import { documentsDatabase } from "../../../../test/support/documents-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { hashedWords } from "../models/hashed-words.ts";
import { adoptModel } from "./adopt-model.ts";
import { activeModel, nextModel, switchModel } from "./models-store.ts";

let db: Database;

beforeAll(async () => {
  db = await documentsDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("a model that was replaced before its change ended leaves the one in use", async () => {
  const former = hashedWords();
  await adoptModel(db, former);
  await adoptModel(db, { ...former, name: "replaced" });
  const replaced = await nextModel(db);
  if (!replaced) throw new Error("no change is going on");
  // another process starts with another model while this one ends the change
  await adoptModel(db, { ...former, name: "wanted" });

  expect(await switchModel(db, replaced)).toBe(false);
  expect((await activeModel(db))?.name).toBe(former.name);

  const wanted = await nextModel(db);
  expect(wanted?.name).toBe("wanted");
  expect(wanted && (await switchModel(db, wanted))).toBe(true);
  expect((await activeModel(db))?.name).toBe("wanted");
});
