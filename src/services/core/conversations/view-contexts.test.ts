import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { MAX_VIEW_CONTEXTS } from "./contract-view-contexts.ts";
import { listViewContexts, setViewContext } from "./view-contexts.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test.each([
  ["in one moment", "0 seconds"],
  ["after the clock was set back", "1 hour"],
])("what a view added last is the first, %s", async (_, ahead) => {
  const of = { conversationId: crypto.randomUUID(), userId: "ada" };
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${of.conversationId}, 'ada', 'default', 'Title')`);
  const calls = Array.from({ length: MAX_VIEW_CONTEXTS + 2 }, (_, at) => `call-${at}`);
  const set = (toolCallId: string) =>
    setViewContext(db, of, { toolCallId, server: "s", content: "c" });
  // a transaction has one time
  await db.tx(async () => {
    await set("call-0");
    await db.query(sql`update core.view_contexts set updated_at = updated_at + ${ahead}::interval
      where conversation_id = ${of.conversationId}`);
    for (const toolCallId of calls.slice(1)) await set(toolCallId);
  });
  const listed = await listViewContexts(db, of);
  expect(listed.map(({ toolCallId }) => toolCallId)).toEqual(
    calls.toReversed().slice(0, MAX_VIEW_CONTEXTS),
  );
});
