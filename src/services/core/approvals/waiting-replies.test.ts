import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import { listWaitingReplies } from "./waiting-replies.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("a reply after which its conversation went on waits no more, also in the same moment", async () => {
  const conversation = uuidv7();
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversation}, 'ada', 'default', 'Title')`);
  const say = (role: string, finishReason: string | null) =>
    db.query(sql`insert into core.messages
        (id, conversation_id, role, status, finish_reason, waiting, created_at)
      values (${uuidv7()}, ${conversation}, ${role}, 'complete', ${finishReason},
        ${jsonb([{ name: "send", server: "mail", toolCallId: "c", arguments: {} }])},
        '2026-01-01')`);
  await say("user", null);
  await say("assistant", "approval");
  expect((await listWaitingReplies(db, "ada", 10, 0)).total).toBe(1);
  await say("user", null);
  expect(await listWaitingReplies(db, "ada", 10, 0)).toEqual({ items: [], total: 0 });
});
