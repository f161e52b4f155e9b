import sql from "sql-template-tag";
import { afterEach, expect, test, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import { openDatabaseQueue } from "./database-queue.ts";
import { CHANNEL } from "./message-store.ts";
import { watchDue } from "./watch-due.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

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

test("a delay and a retry are announced when they begin, and delivered", async () => {
  await using db = await testDatabase();
  await using queue = await openDatabaseQueue({ db, log: silentLog() });
  const heard: string[] = [];
  await using _ = await db.listen(CHANNEL, (name) => heard.push(name));
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
  await vi.waitFor(() => expect(attempts).toEqual([1, 2]), 90_000);
  await vi.waitFor(() => expect(heard).toEqual(["work", "work"]), 90_000);
});

/** A process with a queue, which says how often it has looked for due messages. */
async function openSleeper(
  db: Database,
  { isDeaf = false, isBlind = false }: { isDeaf?: boolean; isBlind?: boolean },
) {
  let looks = 0;
  const query = async (...given: Parameters<Database["query"]>) => {
    if (given[1]?.name !== "find-due-queues") return db.query(...given);
    looks += 1;
    return isBlind ? [] : db.query(...given);
  };
  const listen = async () => ({ async [Symbol.asyncDispose]() {} });
  const own: Database = Object.create(db, {
    query: { value: query },
    ...(isDeaf && { listen: { value: listen } }),
  });
  const queue = await openDatabaseQueue({ db: own, log: silentLog() });
  const seen: string[] = [];
  await queue.consume("work", async ({ id }) => void seen.push(id));
  await vi.waitFor(() => expect(looks).toBeGreaterThan(0), 90_000);
  return {
    queue,
    seen,
    looks: () => looks,
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

/** The half minute after which a process looks by itself does not pass. */
const stopClock = () => vi.spyOn(performance, "now").mockReturnValue(0);

test("a message that another process published for later wakes one that was asleep", async () => {
  await using db = await testDatabase();
  stopClock();
  await using sleeper = await openSleeper(db, {});
  const looks = sleeper.looks();
  await using other = await openDatabaseQueue({ db, log: silentLog() });
  await other.publish("work", {}, { delayMs: 3_600_000 });
  await vi.waitFor(() => expect(sleeper.looks()).toBeGreaterThan(looks), 90_000);
});

test("a notification alone delivers a message, without a query for what is due", async () => {
  await using db = await testDatabase();
  await using sleeper = await openSleeper(db, { isBlind: true });
  await using other = await openDatabaseQueue({ db, log: silentLog() });
  await other.publish("work", {}, { id: "now" });
  await vi.waitFor(() => expect(sleeper.seen).toEqual(["now"]), 90_000);
});

test("a process delivers its own message though its notifications are lost", async () => {
  await using db = await testDatabase();
  await using sleeper = await openSleeper(db, { isDeaf: true, isBlind: true });
  await sleeper.queue.publish("work", {}, { id: "own" });
  await vi.waitFor(() => expect(sleeper.seen).toEqual(["own"]), 90_000);
});

test("a message whose notification was lost is found half a minute later", async () => {
  await using db = await testDatabase();
  const clock = stopClock();
  await using sleeper = await openSleeper(db, { isDeaf: true });
  await db.query(sql`insert into queue.messages (queue, id, data, pattern)
    values ('work', 'lost', '{}', 'work')`);
  clock.mockReturnValue(30_000);
  await vi.waitFor(() => expect(sleeper.seen).toEqual(["lost"]), 90_000);
});
