import sql from "sql-template-tag";
import { afterEach, expect, test, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import { openDatabaseQueue } from "./database-queue.ts";
import { watchDue } from "./watch-due.ts";

afterEach(() => vi.useRealTimers());

test("while messages are due, one query a second asks for all consumers of the process", async () => {
  vi.useFakeTimers();
  const query = vi.fn(async () => [{ queue: "idle-7", inMs: -1 }]);
  const db = { query } as unknown as Database; // nothing else is called
  const names = Array.from({ length: 20 }, (_, index) => `idle-${index}`);
  const due: string[] = [];
  await using _ = watchDue(
    db,
    () => names,
    (queue) => due.push(queue),
  );
  await vi.advanceTimersByTimeAsync(10_500);
  expect(query).toHaveBeenCalledTimes(10);
  expect(new Set(due)).toEqual(new Set(["idle-7"]));
});

test("a process whose queues are empty asks twice a minute, and when a message was published", async () => {
  vi.useFakeTimers();
  const query = vi.fn(async () => []);
  const db = { query } as unknown as Database;
  await using watch = watchDue(
    db,
    () => ["jobs"],
    () => {},
  );
  await vi.advanceTimersByTimeAsync(61_500);
  expect(query).toHaveBeenCalledTimes(3);
  watch.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(query).toHaveBeenCalledTimes(4);
});

test("a failed query is repeated", async () => {
  vi.useFakeTimers();
  const query = vi.fn(() => Promise.reject(new Error("the database is unavailable")));
  const db = { query } as unknown as Database;
  await using _ = watchDue(
    db,
    () => ["jobs"],
    () => {},
  );
  await vi.advanceTimersByTimeAsync(3_500);
  expect(query).toHaveBeenCalledTimes(3);
});

test("a delay and a retry are noticed in time by a process that was asleep", async () => {
  await using db = await testDatabase();
  await using queue = await openDatabaseQueue({ db, log: silentLog() });
  const attempts: number[] = [];
  await queue.consume(
    "work",
    async ({ attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error("not yet");
    },
    { backoffMs: 1 },
  );
  await queue.publish("work", {}, { delayMs: 1_200 });
  // far less than the half minute after which it would look by itself
  await vi.waitFor(() => expect(attempts).toEqual([1, 2]), 20_000);
});

test("a message is delivered after a lost notification, after a delay, and without a query of its own", async () => {
  await using db = await testDatabase();
  let isBlind = false;
  const blindable: Database = Object.create(db, {
    query: {
      value: async (...given: Parameters<Database["query"]>) =>
        isBlind && given[1]?.name === "find-due-queues" ? [] : db.query(...given),
    },
  });
  await using queue = await openDatabaseQueue({ db: blindable, log: silentLog() });
  const seen: string[] = [];
  for (const name of ["lost", "later", "now"])
    await queue.consume(name, async ({ id }) => void seen.push(id));
  await db.query(sql`insert into queue.messages (queue, id, data, pattern)
    values ('lost', 'lost', '{}', 'lost')`);
  await queue.publish("later", {}, { id: "later", delayMs: 500 });
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(["later", "lost"]), 90_000);
  isBlind = true;
  await queue.publish("now", {}, { id: "now" });
  await vi.waitFor(() => expect(seen).toContain("now"), 90_000);
});
