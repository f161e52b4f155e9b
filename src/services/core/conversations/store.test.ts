import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { listMessages } from "./store.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("what a reply wrote in one moment is listed in the order in which it was made", async () => {
  const [conversation, message] = [uuidv7(), uuidv7()];
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversation}, 'ada', 'default', 'Title')`);
  await db.query(sql`insert into core.messages (id, conversation_id, role, status)
    values (${message}, ${conversation}, 'assistant', 'complete')`);
  const ids = Array.from({ length: 8 }, () => uuidv7());
  for (const id of ids.toReversed()) {
    await db.query(sql`insert into core.canvases (id, user_id, client_id, title, type)
      values (${id}, 'ada', 'default', 'Title', 'markdown')`);
    await db.query(sql`insert into core.canvas_versions
        (canvas_id, version, content, created_by, message_id, created_at)
      values (${id}, 1, '', 'ada', ${message}, '2026-01-01')`);
  }
  const [listed] = await listMessages(db, [conversation]);
  expect(listed?.canvases.map(({ canvasId }) => canvasId)).toEqual(ids);
});
