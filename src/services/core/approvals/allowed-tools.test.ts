import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { allowTool, listAllowedTools } from "./allowed-tools.ts";

const MAX = 1_000;

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("tools that are allowed at once stay within their user's limit", async () => {
  await db.query(sql`insert into core.allowed_tools (user_id, server, name, fingerprint)
    select 'a', 'server', 'tool ' || n, 'f' from generate_series(1, ${MAX - 1}) n`);
  const allow = (name: string) =>
    db.tx(() => allowTool(db, "a", { server: "server", name, fingerprint: "f" }));
  const names = Array.from({ length: 12 }, (_, at) => `new ${at}`);
  const outcomes = await Promise.allSettled(names.map(allow));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await listAllowedTools(db, "a", 1, 0)).total).toBe(MAX);
});
