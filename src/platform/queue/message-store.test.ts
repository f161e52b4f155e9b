import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import {
  findDeadLetters,
  insertMessages,
  renewMessages,
  retryMessage,
  type TakenMessage,
  takeMessages,
} from "./message-store.ts";
import { openQueue } from "./open-queue.ts";

const DELAY_MS = 3_600_000;
let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await using _ = await openQueue({ db, amqpUrl: undefined, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

async function takeOne(queue: string): Promise<TakenMessage> {
  const [message] = await takeMessages(db, queue, 1);
  if (!message) throw new Error("no message is due");
  return message;
}

async function isDueWithinHour(queue: string): Promise<boolean> {
  const rows = await db.query(sql`select from queue.messages
    where queue = ${queue} and due_at < now() + interval '55 minutes'`);
  return rows.length > 0;
}

test("a renewal that comes late leaves the delay of a failed message as it is", async () => {
  const queue = "late-renewals";
  await insertMessages(db, [{ queue, id: "m", pattern: queue, delayMs: 0, data: {} }]);
  const message = await takeOne(queue);
  const failure = { error: "the provider is unavailable" };
  await retryMessage(db, queue, message, { delayMs: DELAY_MS, failure });
  await renewMessages(db, queue, [message]);
  expect(await isDueWithinHour(queue)).toBe(false);

  // the next attempt is held and renewed like the first
  await db.query(sql`update queue.messages set due_at = now() where queue = ${queue}`);
  const again = await takeOne(queue);
  expect(again.tries).toBe(2);
  await db.query(sql`update queue.messages set due_at = now() where queue = ${queue}`);
  await renewMessages(db, queue, [again]);
  expect(await takeMessages(db, queue, 1)).toEqual([]);
});

test("pages of dead letters that died in one moment repeat none and leave none out", async () => {
  const queue = "died-at-once";
  const ids = Array.from({ length: 60 }, (_, at) => `${10 + ((at * 37) % 60)}`);
  await db.query(sql`insert into queue.messages (queue, id, pattern, data, error, died_at)
    select ${queue}, id, ${queue}, '{}', 'no', '2026-01-01'
    from unnest(${ids}::text[]) with ordinality as given (id, place) order by place`);
  const found: string[] = [];
  for (const [offset, limit] of [
    [0, 7],
    [7, 13],
    [20, 40],
  ] as const) {
    const { items } = await findDeadLetters(db, queue, { limit, offset });
    found.push(...items.map(({ id }) => id));
  }
  expect(found).toEqual(ids.toSorted());
});
