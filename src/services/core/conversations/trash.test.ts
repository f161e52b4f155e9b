import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { purgeConversation, purgeConversationsOf, purgeOld } from "./trash.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

/** A thread in which each message answers the one before, written at times in no order. */
async function aConversation(userId: string, messages: number, deletedAt?: string) {
  const id = crypto.randomUUID();
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title, deleted_at)
    values (${id}, ${userId}, 'default', 'Title', ${deletedAt ?? null}::timestamptz)`);
  const ids = Array.from({ length: messages }, () => crypto.randomUUID());
  await db.query(sql`insert into core.messages (id, conversation_id, parent_id, role, status, created_at)
    select id::uuid, ${id}, nullif(parent, '')::uuid, 'user', 'complete',
      now() - ((n * 7919) % 1000) * interval '1 second'
    from unnest(${ids}::text[], ${["", ...ids.slice(0, -1)]}::text[], ${ids.map((_, at) => at)}::int[])
      as given (id, parent, n)`);
  return id;
}

async function left(): Promise<{ conversations: number; messages: number }> {
  const [counts] = await db.query<{ conversations: number; messages: number }>(sql`select
    (select count(*)::int from core.conversations) as conversations,
    (select count(*)::int from core.messages) as messages`);
  return counts ?? { conversations: -1, messages: -1 };
}

const forgotten: string[] = [];
const forget = async (id: string) => void forgotten.push(id);

const LONG_AGO = "2020-01-01T00:00:00Z";
const DAY_MS = 86_400_000;

test("deletes a long conversation from the trash, in whatever order it was written", async () => {
  const id = await aConversation("anna", 901, LONG_AGO);
  await purgeConversation(db, "anna", id);
  expect(await left()).toEqual({ conversations: 0, messages: 0 });
});

test("deletes no conversation of another user, nor one outside the trash", async () => {
  const id = await aConversation("anna", 2);
  await expect(purgeConversation(db, "anna", id)).rejects.toMatchObject({ status: 404 });
  const thrown = await aConversation("bert", 2, LONG_AGO);
  await expect(purgeConversation(db, "anna", thrown)).rejects.toMatchObject({
    status: 404,
  });
  await purgeConversationsOf(db, "bert");
  expect(await left()).toEqual({ conversations: 1, messages: 2 });
  await purgeConversationsOf(db, "anna");
});

test("an interrupted deletion belongs to nobody, and the next run ends it", async () => {
  await aConversation("anna", 5, LONG_AGO);
  await aConversation("anna", 450, LONG_AGO);
  const young = await aConversation("anna", 3, new Date().toISOString());
  const stop = new AbortController();
  const once: Database = Object.create(db, {
    query: {
      value: async (statement: ReturnType<typeof sql>) => {
        const rows = await db.query(statement);
        if (statement.sql.startsWith("delete from core.messages")) stop.abort();
        return rows;
      },
    },
  });
  await purgeOld(once, DAY_MS, forget, stop.signal);
  const { conversations } = await left();
  expect(conversations).toBeGreaterThan(1);
  const own = await db.query<{ id: string }>(
    sql`select id from core.conversations where user_id = 'anna'`,
  );
  expect(own).toEqual([{ id: young }]);
  await purgeOld(db, DAY_MS, forget);
  expect(await left()).toEqual({ conversations: 1, messages: 3 });
  await purgeConversationsOf(db, "anna");
});

test("the registration of each is deleted, and a conversation whose registration cannot be stays for the next run", async () => {
  const [gone, refused] = [
    await aConversation("anna", 1, LONG_AGO),
    await aConversation("anna", 1, LONG_AGO),
  ];
  const young = await aConversation("anna", 1, new Date().toISOString());
  forgotten.length = 0;
  const partly = async (id: string) => {
    if (id === refused) throw new Error("the users service is away");
    await forget(id);
  };
  await expect(purgeOld(db, DAY_MS, partly)).rejects.toThrow("the users service is away");
  expect([new Set(forgotten), await left()]).toEqual([
    new Set([gone]),
    { conversations: 2, messages: 2 },
  ]);
  await purgeOld(db, DAY_MS, forget);
  expect(new Set(forgotten)).toEqual(new Set([gone, refused]));
  expect(forgotten).not.toContain(young);
  await purgeConversationsOf(db, "anna");
});

test("a conversation that cannot be deleted is skipped and named, and the others are deleted", async () => {
  const stuck = await aConversation("anna", 3, LONG_AGO);
  for (let more = 0; more < 5; more += 1) await aConversation("anna", 2, LONG_AGO);
  await db.query(sql`create function core.refuse() returns trigger language plpgsql as
    $$ begin raise exception 'this row is broken'; end $$`);
  await db.query(sql`create trigger refuse before delete on core.messages for each row
    when (old.conversation_id = ${raw(`'${stuck}'`)}) execute function core.refuse()`);
  await expect(purgeOld(db, DAY_MS, forget)).rejects.toThrow(
    `${stuck}. The first reason: this row`,
  );
  expect(await left()).toEqual({ conversations: 1, messages: 3 });
  await db.query(sql`drop trigger refuse on core.messages`);
  await purgeOld(db, DAY_MS, forget);
  expect(await left()).toEqual({ conversations: 0, messages: 0 });
});
