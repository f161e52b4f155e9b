import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { agentNames } from "./describe-budgets.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

async function anAgent(name: string, clientId: string, type = "simple"): Promise<string> {
  const id = crypto.randomUUID();
  await db.query(sql`insert into core.agents (id, owner_id, client_id, type, name, definition)
    values (${id}, '', ${clientId}, ${type}, ${name}, '{}')`);
  return id;
}

test("agents of the tenant and built-in ones have names, those of other tenants none", async () => {
  const own = await anAgent("Facilities", "here");
  const builtIn = await anAgent("Editor", "", "system");
  const foreign = await anAgent("Secret", "elsewhere");
  const names = await agentNames(db, [own, builtIn, foreign, "no id"], "here");
  expect(Object.fromEntries(names)).toEqual({ [own]: "Facilities", [builtIn]: "Editor" });
});
