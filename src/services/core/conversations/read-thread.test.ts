import { afterAll, beforeAll, expect, test } from "vitest";
import sql, { raw } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { readThread } from "./read-thread.ts";
import { measureMessages } from "./store.ts";

let db: Database & AsyncDisposable;
const conversationId = crypto.randomUUID();
const idOf = new Map<string, string>();

beforeAll(async () => {
  db = await coreDatabase();
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversationId}, 'user', 'default', 'A thread')`);
  // a question with two answers; the first goes on with two versions of the next question
  for (const [name, parent] of [
    ["ask", null],
    ["answer 1", "ask"],
    ["more 1", "answer 1"],
    ["reply 1", "more 1"],
    ["answer 2", "ask"],
    ["more 2", "answer 1"],
    ["reply 2", "more 2"],
  ] as const)
    await insert(name, parent);
});
afterAll(() => db[Symbol.asyncDispose]());

async function insert(content: string, parent: string | null): Promise<void> {
  const id = crypto.randomUUID();
  idOf.set(content, id);
  const second = idOf.size;
  await db.query(sql`insert into core.messages (id, conversation_id, parent_id, role, content, status, created_at)
    values (${id}, ${conversationId}, ${parent === null ? null : idOf.get(parent)}, 'user', ${content}, 'complete',
      now() + ${second} * interval '1 second')`);
}

const read = (ask: { leaf?: string; before?: string; limit?: number } = {}) =>
  readThread(db, {
    conversationId,
    leaf: ask.leaf === undefined ? undefined : (idOf.get(ask.leaf) ?? ask.leaf),
    before: ask.before,
    limit: ask.limit ?? 20,
    reader: "user",
  });
const textsOf = ({ items }: { items: { content: string }[] }) =>
  items.map(({ content }) => content);

test("reads the branch of the newest message, the oldest first", async () => {
  const page = await read();
  expect(textsOf(page)).toEqual(["ask", "answer 1", "more 2", "reply 2"]);
  expect(page).toMatchObject({ leaf: idOf.get("reply 2"), before: null });
});

test("names the siblings of each message, and goes to another branch by one of them", async () => {
  const { items } = await read();
  const more = items.find(({ content }) => content === "more 2");
  expect(more).toMatchObject({
    siblings: [idOf.get("more 1"), idOf.get("more 2")],
    position: 1,
    siblingCount: 2,
  });
  const other = await read({ leaf: "more 1" });
  expect(textsOf(other)).toEqual(["ask", "answer 1", "more 1", "reply 1"]);
  expect(textsOf(await read({ leaf: "answer 2" }))).toEqual(["ask", "answer 2"]);
});

test("pages upwards without gaps, also while messages are added below", async () => {
  const last = await read({ leaf: "reply 1", limit: 3 });
  expect(textsOf(last)).toEqual(["answer 1", "more 1", "reply 1"]);
  await insert("late", "reply 1");
  const first = await read({ leaf: "reply 1", limit: 3, before: last.before ?? "" });
  expect(textsOf(first)).toEqual(["ask"]);
  expect(first.before).toBeNull();
});

test("refuses messages of other conversations", async () => {
  const elsewhere = { code: "message_not_found" };
  await expect(read({ leaf: crypto.randomUUID() })).rejects.toMatchObject(elsewhere);
  await expect(read({ before: crypto.randomUUID() })).rejects.toMatchObject(elsewhere);
});

test("names at most 50 siblings, those around the message", async () => {
  for (let n = 0; n < 120; n += 1) await insert(`edit ${n}`, "ask");
  const page = await read({ leaf: "edit 60" });
  const edit = page.items.at(-1);
  expect(edit?.siblingCount).toBe(122);
  expect(edit?.siblings).toHaveLength(50);
  expect(edit?.siblings).toContain(idOf.get("edit 60"));
});

test.each(["content", "reasoning", "tool_calls", "sources", "waiting"])(
  "the size of a message counts its %s",
  async (column) => {
    const [id, text] = [crypto.randomUUID(), "a".repeat(1_000)];
    // a conversation of its own: the branches above stay as they are
    const [other, value] = [
      crypto.randomUUID(),
      ["content", "reasoning"].includes(column) ? text : JSON.stringify([text]),
    ];
    await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
      values (${other}, 'user', 'default', 'Another thread')`);
    await db.query(sql`insert into core.messages (id, conversation_id, role, status)
      values (${id}, ${other}, 'assistant', 'complete')`);
    await db.query(
      sql`update core.messages set ${raw(column)} = ${value} where id = ${id}`,
    );
    expect((await measureMessages(db, [id])).get(id)).toBeGreaterThanOrEqual(text.length);
  },
);
