import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import { openDatabaseQueue } from "./database-queue.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("consumers that wait ask the database once a second for all of them, and what nobody told them of is found", async () => {
  let asked = 0;
  let blind = false;
  const counted: Database = Object.create(db, {
    query: {
      value: async (...given: Parameters<Database["query"]>) => {
        asked += 1;
        return blind && given[1]?.name === "queue-look" ? [] : db.query(...given);
      },
    },
  });
  await using queue = await openDatabaseQueue({ db: counted, log: silentLog() });
  const seen: string[] = [];
  const names = Array.from({ length: 20 }, (_, index) => `idle-${index}`);
  const consumers = await Promise.all(
    names.map((name) => queue.consume(name, async ({ id }) => void seen.push(id))),
  );
  await sleep(1_500);
  asked = 0;
  await sleep(3_000);
  expect(asked).toBeGreaterThanOrEqual(2);
  expect(asked).toBeLessThanOrEqual(4);

  await db.query(
    sql`insert into queue.messages (queue, id, data, pattern) values ('idle-7', 'untold', '{}', 'idle-7')`,
  );
  await queue.publish("idle-8", {}, { id: "later", delayMs: 500 });
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(["later", "untold"]), 5_000);
  // what is published wakes its consumer by itself
  blind = true;
  await queue.publish("idle-9", {}, { id: "now" });
  await vi.waitFor(() => expect(seen).toContain("now"), 5_000);
  await Promise.all(consumers.map((consumer) => consumer[Symbol.asyncDispose]()));
});
