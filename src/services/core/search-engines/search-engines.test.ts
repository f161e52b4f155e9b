import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { sealEngineConfig } from "./engine-config.ts";
import { readStoredSearchEngines } from "./search-engines.ts";
import { insertEngine, updateEngine } from "./store.ts";

const KEY = Buffer.alloc(32).toString("base64");
let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("the version of an engine is another one after each change, also with two in one moment", async () => {
  const config = () => sealEngineConfig("brave", { apiKey: "k" }, KEY);
  const enabled = true;
  const { id } = await insertEngine(db, {
    kind: "brave",
    name: "B",
    enabled,
    config: config(),
  });
  const versions = new Set<string>();
  const note = async () => {
    await db.query(sql`update core.search_engines set updated_at = '2026-01-01'`);
    const { engines } = await readStoredSearchEngines({ db, encryptionKey: KEY });
    for (const { version } of engines) versions.add(version);
  };
  await note();
  await note();
  expect(versions.size).toBe(1);
  for (const name of ["B", "C"]) {
    // the key as it was, which is entered again
    await updateEngine(db, { id, name, enabled, config: config() });
    await note();
  }
  expect(versions.size).toBe(3);
});
