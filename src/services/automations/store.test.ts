import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../platform/db/migrate.ts";
import type { Database } from "../../platform/db/database.ts";
import type { User } from "../../platform/http/caller.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import { insertRule, readStamp, removeRule, updateRule } from "./store.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("./migrations/", import.meta.url);
  await migrate(db, { schema: "automations", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

test("the stamp of a client's rules changes with each change, also with two in one moment", async () => {
  const owner = { userId: "ada", clientId: "c" } as User;
  const rule = { name: "R", type: "*", origin: "*", agents: [], is_active: true };
  const stamps: string[] = [];
  const stampAfter = async (change: () => Promise<unknown>) => {
    await change();
    await db.query(sql`update automations.rules set last_update = '2026-01-01'
      where last_update <> '2026-01-01'`);
    stamps.push(await readStamp(db, "c"));
  };
  const add = () => insertRule(db, { ...rule, scope: "client" }, owner);
  const first = await add();
  await stampAfter(add);
  await stampAfter(() => updateRule(db, first, { is_active: false }));
  await stampAfter(() => removeRule(db, first));
  // as many as before
  await stampAfter(add);
  expect(new Set(stamps).size).toBe(4);
  expect(await readStamp(db, "c")).toBe(stamps.at(-1));
  expect(await readStamp(db, "other")).toBe("0");
});
