import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../../platform/db/migrate.ts";
import type { Database } from "../../../platform/db/database.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { createApiKey, listApiKeys } from "./api-keys.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

test("pages of keys that were made in one moment repeat none and leave none out", async () => {
  const id = uuidv7();
  await db.query(sql`insert into users.users (id, email, name, roles)
    values (${id}, 'ada@test.example', 'Ada', '{}')`);
  for (let key = 1; key <= 6; key += 1) await createApiKey(db, id, { name: `${key}` });
  await db.query(sql`update users.api_keys set created_at = '2026-01-01'`);
  const names: string[] = [];
  for (let offset = 0; offset < 6; offset += 2)
    names.push(...(await listApiKeys(db, id, 2, offset)).items.map(({ name }) => name));
  expect(names).toEqual(["6", "5", "4", "3", "2", "1"]);
});
