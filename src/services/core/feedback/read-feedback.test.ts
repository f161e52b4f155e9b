import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import type { Sharing } from "../sharing.ts";
import { exportFeedback } from "./read-feedback.ts";

const RATINGS = 450;
let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
  const id = crypto.randomUUID();
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${id}, 'ada', 'here', 'Title')`);
  await db.query(sql`insert into core.messages (id, conversation_id, role, status)
    select gen_random_uuid(), ${id}, 'assistant', 'complete'
    from generate_series(1, ${RATINGS}::int)`);
  // all at once, so that the time alone does not tell them apart
  await db.query(sql`insert into core.message_reactions (message_id, user_id, client_id, reaction)
    select id, 'ada', 'here', 'like' from core.messages`);
  await db.query(sql`insert into core.message_reactions (message_id, user_id, client_id, reaction)
    select id, 'eve', 'elsewhere', 'like' from core.messages`);
});
afterAll(() => db[Symbol.asyncDispose]());

test("an export of many pages has each rating of the tenant once", async () => {
  const reader: User = {
    kind: "user",
    via: "jwt",
    userId: "admin",
    clientId: "here",
    name: "",
    email: "admin@test.example",
    roles: [],
  };
  const deps = {
    db,
    findNames: () => Promise.resolve(new Map<string, string>()),
    // the only call of it
    sharing: { rolesOf: () => Promise.resolve(new Map()) } as unknown as Sharing,
  };
  const text = await new Response(exportFeedback(deps, reader, {})).text();
  const lines = text.trimEnd().split("\r\n").slice(1);
  expect(lines.length).toBe(RATINGS);
  expect(new Set(lines).size).toBe(RATINGS);
  expect(text).not.toContain("eve");
});
