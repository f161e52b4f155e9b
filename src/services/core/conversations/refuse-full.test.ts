import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { uuidv7 } from "uuidv7";
import { BoundedEntries } from "../../../platform/cache/bounded-entries.ts";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { type ConversationLimits, refuseFull } from "./refuse-full.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "core",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
});
afterAll(() => db[Symbol.asyncDispose]());

let userId: string;
let asked: number;
beforeEach(() => {
  userId = uuidv7();
  asked = 0;
});

const limitsOf = (given: Partial<ConversationLimits> = {}): ConversationLimits => ({
  db: {
    ...db,
    query: ((...args: Parameters<Database["query"]>) => {
      asked += 1;
      return db.query(...args);
    }) as Database["query"],
  },
  maxConversations: 100_000,
  maxMessages: 100,
  maxMessagesBytes: 5 * 1024 ** 3,
  roomy: new BoundedEntries(10),
  ...given,
});

const addConversation = (bytes = 0) =>
  db.query(sql`insert into core.conversations (id, user_id, client_id, bytes)
    values (${uuidv7()}, ${userId}, 'default', ${bytes})`);

test("adds up the conversations of an owner who has few only now and then", async () => {
  const limits = limitsOf();
  for (let turn = 0; turn < 5; turn += 1) {
    await refuseFull(limits, userId, undefined);
    await addConversation();
  }
  expect(asked).toBe(1);
});

test("refuses an owner near the most conversations at once", async () => {
  const limits = limitsOf({ maxConversations: 2 });
  await refuseFull(limits, userId, undefined);
  await addConversation();
  await refuseFull(limits, userId, undefined);
  await addConversation();
  await expect(refuseFull(limits, userId, undefined)).rejects.toMatchObject({
    code: "too_many_conversations",
  });
});

test("refuses an owner near the most bytes at once, in a new and in an old one", async () => {
  const limits = limitsOf({ maxMessagesBytes: 1024 ** 3 });
  await addConversation(1024 ** 3 - 1);
  await refuseFull(limits, userId, undefined);
  await addConversation(1);
  const refused = { code: "messages_quota_exceeded" };
  await expect(refuseFull(limits, userId, undefined)).rejects.toMatchObject(refused);
  await expect(
    refuseFull(limits, uuidv7(), { id: uuidv7(), userId }),
  ).rejects.toMatchObject(refused);
});
