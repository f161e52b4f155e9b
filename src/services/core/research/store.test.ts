import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import {
  beginInvestigation,
  endInvestigation,
  findResearch,
  MAX_AT_ONCE,
  savePlan,
} from "./store.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const WANTED = { searches: 2, pages: 5 };
const NOTHING_LEFT = { unused: { searches: 0, pages: 0 }, unread: [] };

/** The id of a reply with an approved plan. */
async function aResearch(searches = 100): Promise<string> {
  const [conversation, message] = [crypto.randomUUID(), crypto.randomUUID()];
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversation}, 'anna', 'default', 'Title')`);
  await db.query(sql`insert into core.messages (id, conversation_id, role, status)
    values (${message}, ${conversation}, 'assistant', 'streaming')`);
  const budget = { searches, pages: 1_000, tokens: 1, minutes: 1 };
  await savePlan(db, message, { steps: [{ title: "Look", done: false }], budget });
  return message;
}

const begin = (message: string) => beginInvestigation(db, message, WANTED);

test("at most so many investigations run at once, and each that ends makes room for one", async () => {
  const message = await aResearch();
  const begun = await Promise.all(
    Array.from({ length: MAX_AT_ONCE + 2 }, () => begin(message)),
  );
  const running = begun.filter((one) => one !== undefined);
  expect(running).toHaveLength(MAX_AT_ONCE);
  for (const { at } of running.slice(0, 2))
    await endInvestigation(db, message, { began: at, ...NOTHING_LEFT, step: 0 });
  expect(await begin(message)).toBeDefined();
  expect(await begin(message)).toBeDefined();
  expect(await begin(message)).toBeUndefined();
  expect((await findResearch(db, message))?.steps).toEqual([{ title: "Look", done: true }]);
});

test("those of a killed process count no more after a while", async () => {
  const message = await aResearch();
  for (let n = 0; n < MAX_AT_ONCE; n += 1) await begin(message);
  expect(await begin(message)).toBeUndefined();
  await db.query(sql`update core.research
    set running = array(select began - interval '1 hour' from unnest(running) began)
    where message_id = ${message}`);
  expect(await begin(message)).toBeDefined();
});

test("an investigation gets what is left of the budget, and gives back what it did not use", async () => {
  const message = await aResearch(3);
  const [first, second] = [await begin(message), await begin(message)];
  expect([first?.searches, second?.searches]).toEqual([2, 1]);
  if (!first) throw new Error("the first investigation did not begin");
  const unused = { searches: 2, pages: 5 };
  await endInvestigation(db, message, { began: first.at, unused, unread: [] });
  expect((await findResearch(db, message))?.used).toEqual({ searches: 1, pages: 5 });
  expect((await begin(message))?.searches).toBe(2);
});
