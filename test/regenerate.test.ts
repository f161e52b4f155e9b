import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";
import { settingsOf } from "./support/scripted-server.ts";

interface Message {
  id: string;
  parentId: string | null;
  role: string;
  content: string;
  model: string;
  status: string;
}
interface Reply {
  conversationId: string;
  messageId: string;
  userMessageId: string;
  content: string;
  code: string;
  error: string;
}

let provider: ScriptedProvider;
let parlance: TestServer;
const script = (...turns: Script[]) => provider.answerTurns(...turns);
/** Replies that continue until they are stopped. */
const ENDLESS: Script = { text: ["word "], fault: "stall", faultAfter: 1 };

beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer({
    ...settingsOf(provider, "gpt-a,gpt-b"),
    COMPLETION_PROVIDER_TIMEOUT: "60000",
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => void (provider.requests.length = 0));

const post = (path: string, body: object, options: { token?: string; key?: string } = {}) =>
  parlance.request(`/api/v1/conversation${path}`, {
    body,
    ...(options.token && { token: options.token }),
    ...(options.key && { headers: { "idempotency-key": options.key } }),
  });
const sent = async (...asked: Parameters<typeof post>) => {
  const [path, body, options] = asked;
  const response = await post(path, { stream: false, ...body }, options);
  return { status: response.status, ...((await response.json()) as Reply) };
};
const messagesOf = async (id: string) => {
  const response = await parlance.request(`/api/v1/conversation/${id}`);
  return ((await response.json()) as { messages: Message[] }).messages;
};
/** Starts a reply and disconnects while it is in progress. */
const begin = async (path: string, body: object) => {
  const leave = new AbortController();
  const response = await parlance.request(`/api/v1/conversation${path}`, {
    body,
    signal: leave.signal,
  });
  let seen = "";
  for await (const chunk of response.body ?? []) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes("text_delta")) break;
  }
  leave.abort();
  const first =
    /^data: (\{"conversationId".*|\{.*"conversationId".*)$/m.exec(seen)?.[1] ?? "{}";
  return JSON.parse(first) as Reply;
};

test("a regenerated reply is stored beside the first one, under the same question, in the same thread", async () => {
  script({ text: ["one"] }, { text: ["two"] }, { text: ["three"] }, { text: ["four"] });
  const before = await sent("", { content: "before" });
  const { conversationId: id } = before;
  const first = await sent("", { content: "which?", conversationId: id, model: "gpt-a" });
  const byReply = await sent(`/${id}/regenerate`, {
    messageId: first.messageId,
    model: "gpt-b",
  });
  const byQuestion = await sent(`/${id}/regenerate`, { messageId: first.userMessageId });
  expect([first.content, byReply.content, byQuestion.content]).toEqual([
    "two",
    "three",
    "four",
  ]);
  expect(byReply.userMessageId).toBe(first.userMessageId);
  const messages = await messagesOf(id);
  expect(messages.filter(({ content }) => content === "which?")).toHaveLength(1);
  const replies = messages.filter(({ parentId }) => parentId === first.userMessageId);
  expect(replies.map(({ content, model }) => [content, model])).toEqual([
    ["two", "openai/gpt-a"],
    ["three", "openai/gpt-b"],
    // of several replies, the newest determines the question's options
    ["four", "openai/gpt-b"],
  ]);
  // the model reads the question once, after the messages before it, and no earlier reply to it
  for (const { messages: told } of provider.turns().slice(1))
    expect(told.map(({ content }) => content)).toEqual(["before", "one", "which?"]);
});

test("a regenerated reply uses the instructions and tools of its question", async () => {
  script({ text: ["one"] }, { text: ["two"] });
  const first = await sent("", { content: "hi", instructions: "Be brief." });
  const path = `/${first.conversationId}/regenerate`;
  const streamed = await eventsOf(await post(path, { messageId: first.messageId }));
  expect(streamed[0]).toMatchObject({
    event: "conversation",
    data: { userMessageId: first.userMessageId },
  });
  expect(streamed.at(-1)).toMatchObject({ event: "done", data: { content: "two" } });
  expect(provider.turns()[1]?.messages).toEqual(provider.turns()[0]?.messages);
});

test("a repeated idempotency key returns the same reply, and another body is a conflict", async () => {
  script({ text: ["one"] }, { text: ["two"] }, { text: ["three"] });
  const first = await sent("", { content: "hi" });
  const path = `/${first.conversationId}/regenerate`;
  const ask = (model: string) =>
    sent(path, { messageId: first.messageId, model }, { key: "again" });
  const [one, two] = [await ask("gpt-a"), await ask("gpt-a")];
  expect(two.messageId).toBe(one.messageId);
  expect(await ask("gpt-b")).toMatchObject({ status: 409, code: "idempotency_key_reused" });
  expect(await messagesOf(first.conversationId)).toHaveLength(3);
});

test("the first message can be edited: null as parent starts a branch at the root", async () => {
  script({ text: ["one"] }, { text: ["two"] });
  const first = await sent("", { content: "a" });
  const edit = {
    content: "b",
    conversationId: first.conversationId,
    parentMessageId: null,
  };
  const second = await sent("", edit);
  expect(provider.turns()[1]?.messages.map(({ content }) => content)).toEqual(["b"]);
  const messages = await messagesOf(first.conversationId);
  const roots = messages.filter(({ parentId }) => parentId === null);
  expect(roots.map(({ content }) => content)).toEqual(["a", "b"]);
  expect(second.conversationId).toBe(first.conversationId);
});

test("a branch with a reply in progress accepts no message, others do, and each is stopped and read by its id", async () => {
  script({ text: ["one"] }, ENDLESS, ENDLESS);
  const first = await sent("", { content: "a" });
  const { conversationId: id, messageId: parentMessageId } = first;
  const left = await begin("", { content: "left", conversationId: id });
  const refused = await sent("", { content: "too early", conversationId: id });
  expect(refused).toMatchObject({ status: 409, code: "reply_in_progress" });
  expect(refused.error).toMatch(/stop it/);
  const onIt = {
    content: "too early",
    conversationId: id,
    parentMessageId: left.messageId,
  };
  expect(await sent("", onIt)).toMatchObject({ status: 409, code: "reply_in_progress" });
  const again = await sent(`/${id}/regenerate`, { messageId: left.messageId });
  expect(again).toMatchObject({ status: 409, code: "reply_in_progress" });

  const right = await begin("", { content: "right", conversationId: id, parentMessageId });
  const stop = async (body?: object) =>
    (await (
      await parlance.request(`/api/v1/conversation/${id}/stop`, { method: "POST", body })
    ).json()) as { stopped: boolean; messageId: string };
  expect(await stop({ messageId: left.messageId })).toEqual({
    stopped: true,
    messageId: left.messageId,
  });
  const read = (messageId: string) =>
    parlance.request(`/api/v1/conversation/${id}/stream?messageId=${messageId}`);
  const events = await eventsOf(await read(left.messageId));
  expect(events.at(-1)?.data).toMatchObject({
    messageId: left.messageId,
    finishReason: "cancelled",
  });
  const states = async () =>
    (await messagesOf(id))
      .filter(({ id: one }) => [left.messageId, right.messageId].includes(one))
      .map(({ status }) => status);
  expect(await states()).toEqual(["stopped", "streaming"]);
  expect(await stop()).toEqual({ stopped: true, messageId: right.messageId });
  await vi.waitFor(
    async () => expect(await states()).toEqual(["stopped", "stopped"]),
    90_000,
  );
  expect(await stop({ messageId: left.messageId })).toMatchObject({ stopped: false });

  script({ text: ["after"] });
  const after = { content: "on", conversationId: id, parentMessageId: left.messageId };
  expect(await sent("", after)).toMatchObject({ status: 200, content: "after" });
});

test("stop and re-attach default to the newest reply in progress, not the newest reply", async () => {
  script({ text: ["one"] }, ENDLESS, { text: ["done"] });
  const { conversationId: id, messageId: parentMessageId } = await sent("", {
    content: "a",
  });
  const long = await begin("", { content: "long", conversationId: id });
  await sent("", { content: "short", conversationId: id, parentMessageId });
  const stopped = await parlance.request(`/api/v1/conversation/${id}/stop`, {
    method: "POST",
  });
  expect(await stopped.json()).toEqual({ stopped: true, messageId: long.messageId });
});

test("a message of another conversation does not exist here: not to regenerate, to stop or to read", async () => {
  script({ text: ["one"] });
  const [here, there] = [
    await sent("", { content: "a" }),
    await sent("", { content: "b" }),
  ];
  const { messageId } = there;
  const path = `/api/v1/conversation/${here.conversationId}`;
  const answers = await Promise.all([
    parlance.request(`${path}/regenerate`, { body: { messageId } }),
    parlance.request(`${path}/stop`, { body: { messageId } }),
    parlance.request(`${path}/stream?messageId=${messageId}`),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "message_not_found" });
  }
});

test("a reply in another user's conversation counts for the user who asks, not for its owner", async () => {
  const editor = await newPerson(parlance, "regenerating-editor");
  script({ text: ["one"] });
  const first = await sent("", { content: "shared" });
  const { conversationId: id, messageId } = first;
  const share = {
    resourceType: "conversation",
    resourceId: id,
    shares: [{ subjectType: "user", subjectId: editor.id, accessRole: "editor" }],
  };
  await vi.waitFor(async () => {
    const shared = await parlance.request("/api/v1/sharing/share", { body: share });
    expect(shared.ok).toBe(true);
  }, 90_000);
  provider.answer(() => ENDLESS);
  const ask = (token?: string) =>
    post(`/${id}/regenerate`, { messageId }, token === undefined ? {} : { token });
  const made = await Promise.all(Array.from({ length: 20 }, () => ask(editor.token)));
  expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect((await ask(editor.token)).status).toBe(429);
  const own = await ask();
  expect(own.status).toBe(200);
  for (const { body } of [...made, own]) await body?.cancel();
  const replies = (await messagesOf(id)).filter(({ status }) => status === "streaming");
  for (const reply of replies)
    await parlance.request(`/api/v1/conversation/${id}/stop`, {
      body: { messageId: reply.id },
    });
  await vi.waitFor(async () => {
    const left = (await messagesOf(id)).filter(({ status }) => status === "streaming");
    expect(left).toEqual([]);
  }, 90_000);
});
