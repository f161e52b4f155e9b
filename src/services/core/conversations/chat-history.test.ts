import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { listHistory } from "./chat-history.ts";

const AGENT = crypto.randomUUID();

let db: Database & AsyncDisposable;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

async function insert(userId: string, title: string, minutesAgo: number): Promise<string> {
  const id = crypto.randomUUID();
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title, updated_at)
    values (${id}, ${userId}, 'default', ${title}, now() - ${minutesAgo} * interval '1 minute')`);
  return id;
}
const list = (userId: string, ask: object = {}) =>
  listHistory(db, userId, { limit: 2, offset: 0, ...ask });
const titlesOf = ({ items }: { items: { title: string }[] }) =>
  items.map(({ title }) => title);

test("a page after a cursor repeats nothing when a conversation moves to the front", async () => {
  for (const [at, title] of ["a", "b", "c", "d"].entries()) await insert("ada", title, at);
  const first = await list("ada");
  expect(titlesOf(first)).toEqual(["a", "b"]);
  await insert("ada", "new", -1);
  const second = await list("ada", { cursor: first.next });
  expect(titlesOf(second)).toEqual(["c", "d"]);
  expect(second.total).toBe(5);
  expect(await list("ada", { cursor: second.next })).toMatchObject({
    items: [],
    next: null,
  });
});

test("lists conversations with equal timestamps once each", async () => {
  for (const title of ["a", "b", "c", "d", "e"]) await insert("ben", title, 0);
  await db.query(
    sql`update core.conversations set updated_at = now() where user_id = 'ben'`,
  );
  const titles: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list("ben", { cursor });
    titles.push(...titlesOf(page));
    cursor = page.next;
  }
  expect(titles.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
});

test("lists by pin, agent and running replies", async () => {
  const [pinned, ofAgent, running] = [
    await insert("eve", "pinned", 1),
    await insert("eve", "of the agent", 2),
    await insert("eve", "running", 3),
  ];
  await db.query(sql`update core.conversations set pinned = true where id = ${pinned}`);
  await db.query(
    sql`update core.conversations set agent_id = ${AGENT} where id = ${ofAgent}`,
  );
  await db.query(sql`insert into core.messages (id, conversation_id, role, status, lease_until)
    values (${crypto.randomUUID()}, ${running}, 'assistant', 'streaming', now() + interval '1 hour')`);
  expect(titlesOf(await list("eve", { pinned: true }))).toEqual(["pinned"]);
  expect(titlesOf(await list("eve", { agentId: AGENT }))).toEqual(["of the agent"]);
  const atWork = await list("eve", { running: true });
  expect(atWork.items).toMatchObject([{ title: "running", running: true }]);
  expect((await list("eve", { running: false })).items).toMatchObject([
    { running: false },
    { running: false },
  ]);
});

test("gives the first words of the newest message that has a text, if asked", async () => {
  const id = await insert("fay", "asked", 1);
  await insert("fay", "empty", 2);
  const say = (role: string, content: string, minutesAgo: number) =>
    db.query(sql`insert into core.messages (id, conversation_id, role, status, content, created_at)
      values (${crypto.randomUUID()}, ${id}, ${role}, 'complete', ${content},
        now() - ${minutesAgo} * interval '1 minute')`);
  await say("user", "How many?", 9);
  await say("assistant", `Five. ${"ä".repeat(1_000)}`, 8);
  await say("assistant", "", 7);
  const { items } = await list("fay", { words: true });
  expect(items[0]?.words).toMatch(/^Five\. ä+$/);
  expect(items[0]?.words).toHaveLength(240);
  expect(items[1]).not.toHaveProperty("words");
  expect((await list("fay")).items[0]).not.toHaveProperty("words");
});
