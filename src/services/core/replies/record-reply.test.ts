import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { createReplyWriter, type Outcome, type ReplyWriter } from "./record-reply.ts";
import { findWaiting, reopenReply } from "./store.ts";
import { findConversations, listMessages } from "../conversations/store.ts";

let db: Database;
let writer: ReplyWriter;
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "core",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  writer = createReplyWriter(db, 3);
});
afterAll(() => db[Symbol.asyncDispose]());

const plan = { model: "m", tools: [], approval: "never" as const, contextWindow: 1_000 };
const turn = (userId: string, conversationId = uuidv7()) => ({
  userId,
  clientId: "default",
  conversationId,
  userMessageId: uuidv7(),
  messageId: uuidv7(),
  parentId: undefined,
  content: `of ${userId}`,
  history: [],
  files: [],
  documents: [],
  plan,
});
const outcome: Outcome = {
  title: "A title",
  status: "complete",
  content: "said\u0000",
  reasoning: "thought",
  toolCalls: [],
  history: [],
  waiting: [],
  sources: [],
  usage: { inputTokens: 1, outputTokens: 2 },
  finishReason: "stop",
  error: null,
};

test("stores concurrent turns of many users completely, within each user's limit", async () => {
  const turns = ["a", "b", "a", "a", "a", "b"].map((userId) => turn(userId));
  const admitted = await Promise.all(turns.map((one) => writer.insertTurn(one)));
  expect(admitted).toEqual([true, true, true, true, false, true]);
  const there = await listMessages(
    db,
    turns.map(({ conversationId }) => conversationId),
  );
  expect(there).toHaveLength(10);
  expect(await writer.insertTurn(turn("a"))).toBe(false);
  const [first] = turns;
  await writer.saveOutcome(first?.messageId ?? "", outcome);
  expect(await writer.insertTurn(turn("a"))).toBe(true);
});

test("turns in concurrent transactions stay within their user's limit", async () => {
  const admitted = await Promise.all(
    Array.from({ length: 4 }, () => db.tx(() => writer.insertTurn(turn("g")))),
  );
  expect(admitted.filter(Boolean)).toHaveLength(3);
});

test("a decision on a reply and a message below it, at once, do not wait for each other", async () => {
  for (let round = 0; round < 10; round += 1) {
    const first = turn(`h${round}`);
    await writer.insertTurn(first);
    const { userId, conversationId, messageId } = first;
    const waiting = [{ toolCallId: "call", name: "tool", arguments: {} }];
    await writer.saveOutcome(messageId, { ...outcome, waiting, finishReason: "approval" });
    const decide = db.tx(async () => {
      const found = await findWaiting(db, conversationId, "call", { locked: true });
      return reopenReply(db, found?.id ?? "", userId, 3);
    });
    const below = { ...turn(userId, conversationId), parentId: messageId };
    const write = writer.insertTurn({ ...below, clientId: undefined });
    expect(await Promise.all([decide, write])).toEqual([2, true]);
  }
});

test("a turn that cannot be stored does not affect the others", async () => {
  const good = turn("c");
  const taken = turn("d");
  await writer.insertTurn(taken);
  const results = await Promise.allSettled(
    [good, { ...turn("d"), messageId: taken.messageId }].map((one) =>
      writer.insertTurn(one),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await listMessages(db, [good.conversationId])).toHaveLength(2);
});

test("a history that is the content alone is not stored twice; any other is", async () => {
  const said = (content: string, more = {}) => ({
    role: "assistant" as const,
    content,
    ...more,
  });
  const stored = async (content: string, history: Outcome["history"]) => {
    const one = turn("i");
    await writer.insertTurn(one);
    await writer.saveOutcome(one.messageId, { ...outcome, content, history });
    const [row] = await db.query<{ history: unknown }>(
      sql`select history from core.messages where id = ${one.messageId}`,
    );
    return row?.history;
  };
  expect(await stored("Hello", [said("Hello")])).toEqual([]);
  for (const history of [
    [said("Hello, all")],
    [said("Hello", { reasoning: "thought" })],
    [said("Hello"), said("Hello")],
    [{ role: "user" as const, content: "Hello" }],
  ])
    expect(await stored("Hello", history)).toEqual(history);
});

test("a reply keeps its options when it has ended, and its whole plan while it waits", async () => {
  const asked = { agentId: null, approval: "never" as const };
  const whole = { ...plan, asked, instructions: "Long instructions of an agent." };
  const stored = async (given: typeof plan, finishReason: string) => {
    const one = { ...turn("j"), plan: given };
    await writer.insertTurn(one);
    await writer.saveOutcome(one.messageId, { ...outcome, finishReason });
    const [row] = await db.query<{ request: unknown }>(
      sql`select request from core.messages where id = ${one.messageId}`,
    );
    return row?.request;
  };
  expect(await stored(whole, "stop")).toEqual({ asked });
  expect(await stored(whole, "approval")).toEqual(whole);
  expect(await stored(plan, "stop")).toEqual(plan);
});

test("stores concurrent outcomes, and a title only for a conversation without one", async () => {
  const [untitled, titled] = [turn("e"), turn("e")];
  await Promise.all([untitled, titled].map((one) => writer.insertTurn(one)));
  await db.query(
    sql`update core.conversations set title = 'Mine' where id = ${titled.conversationId}`,
  );
  await writer.savePartial(untitled.messageId, {
    content: "sa",
    reasoning: "",
    title: undefined,
  });
  const failed: Outcome = {
    ...outcome,
    status: "failed",
    content: "cut",
    usage: null,
    error: { error: "No.", code: "no" },
  };
  await Promise.all([
    writer.saveOutcome(untitled.messageId, outcome),
    writer.saveOutcome(titled.messageId, failed),
  ]);
  const replies = await listMessages(db, [untitled.conversationId, titled.conversationId]);
  const replyOf = (id: string) => replies.find((message) => message.id === id);
  expect(replyOf(untitled.messageId)).toMatchObject({
    status: "complete",
    content: "said\ufffd",
    reasoning: "thought",
    usage: outcome.usage,
    error: null,
  });
  expect(replyOf(titled.messageId)).toMatchObject({
    status: "failed",
    content: "cut",
    usage: null,
    error: failed.error,
  });
  const titles = (
    await findConversations(db, [untitled.conversationId, titled.conversationId], "e")
  ).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(["A title", "Mine"]);
  // a late outcome changes no reply that has ended
  await writer.savePartial(untitled.messageId, {
    content: "late",
    reasoning: "late",
    title: "late",
  });
  expect((await listMessages(db, [untitled.conversationId])).at(-1)?.content).toBe(
    "said\ufffd",
  );
});

test("replies that continue concurrently after decisions stay within their user's limit", async () => {
  const turns = [turn("f"), turn("f"), turn("f")];
  for (const one of turns) {
    await writer.insertTurn(one);
    await writer.saveOutcome(one.messageId, { ...outcome, finishReason: "approval" });
  }
  const reopen = ({ messageId }: { messageId: string }) =>
    db.tx(() => reopenReply(db, messageId, "f", 2));
  const runs = await Promise.all(turns.map(reopen));
  expect(runs.filter((run) => run === 2)).toHaveLength(2);
  expect(runs.filter((run) => run === undefined)).toHaveLength(1);
  expect(await reopen(turns[0] ?? turn("f"))).toBeUndefined();
});

test("the words of titles do not wait in the index in a form that takes much space", async () => {
  const one = turn("titles");
  await writer.insertTurn(one);
  await db.query(sql`update core.conversations set title = 'Some words of a title that is short'
    where id = ${one.conversationId}`);
  // each writes a new version of the row, whose words the index takes again
  await db.query(
    sql`do ${raw(`$$ begin for n in 1..3000 loop
    update core.conversations set updated_at = clock_timestamp()
      where id = '${one.conversationId}'; end loop; end $$`)}`,
  );
  const [row] = await db.query<{ bytes: number }>(
    sql`select pg_relation_size('core.conversations_search')::int as bytes`,
  );
  expect(row?.bytes).toBeLessThan(200_000);
});

test("the words of messages do not wait in the index in a form that takes much space", async () => {
  const indexBytes = async () => {
    const [row] = await db.query<{ bytes: number }>(
      sql`select pg_relation_size('core.messages_search')::int as bytes`,
    );
    return row?.bytes ?? 0;
  };
  const before = await indexBytes();
  const count = 400;
  const first = turn("words");
  await writer.insertTurn(first);
  // each has 150 words of a vocabulary of 5,000
  await db.query(sql`insert into core.messages (id, conversation_id, role, content, status)
    select gen_random_uuid(), ${first.conversationId}, 'user', words, 'complete'
    from generate_series(1, ${count}::int) as message cross join lateral (
      select string_agg('word' || (message * 131 + word * 37) % 5000, ' ') as words
      from generate_series(1, 150) as word) as text`);
  expect((await indexBytes()) - before).toBeLessThan(count * 2_000);
});
