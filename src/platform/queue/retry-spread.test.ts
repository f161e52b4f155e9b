import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { held } from "../../../test/support/held.ts";
import type { Database } from "../db/database.ts";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import { openQueue } from "./open-queue.ts";
import type { Queue } from "./queue.ts";

const JOBS = 200;
/** Long enough that no job is due again during the test. */
const BACKOFF_MS = 200_000;
let db: Database;
let queue: Queue;

beforeAll(async () => {
  db = await testDatabase();
  queue = await openQueue({ db, amqpUrl: undefined, log: silentLog() });
});
afterAll(async () => {
  await queue[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

test("jobs that fail together are tried again at times spread over the whole delay", async () => {
  let attempts = 0;
  const fail = async () => {
    attempts += 1;
    throw new Error("the provider is unavailable");
  };
  await using _ = await queue.consume("herd", fail, {
    prefetch: JOBS,
    backoffMs: BACKOFF_MS,
  });
  await Promise.all(
    Array.from({ length: JOBS }, (_job, n) => queue.publish("herd", { n })),
  );
  const due = () =>
    db.query<{ at: number }>(sql`select extract(epoch from due_at)::float8 * 1000 as at
      from queue.messages where queue = 'herd' and error is not null`);
  await vi.waitFor(async () => expect(await due()).toHaveLength(JOBS), 90_000);
  expect(attempts).toBe(JOBS);

  const times = (await due()).map(({ at }) => at).toSorted((a, b) => a - b);
  const tenth = BACKOFF_MS / 10;
  const crowds = times.map(
    (from) => times.filter((at) => at >= from && at < from + tenth).length,
  );
  expect(Math.max(...crowds)).toBeLessThan(JOBS / 4);
  // wider than half of the delay, which half jitter could not exceed
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(BACKOFF_MS / 2);
  held("retry-storms", JOBS);
});
