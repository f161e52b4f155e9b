import OpenAI from "openai";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** Responses in conversations, by the unchanged official client. */
let parlance: TestServer;
let provider: ScriptedProvider;
let client: OpenAI;
let token: string;
beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer(settingsOf(provider));
  ({ client, token } = await newClient("ann"));
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const model = "openai/gpt-test";

async function newClient(name: string) {
  const person = await newPerson(parlance, name);
  const made = await parlance.request("/api/v1/auth/api-keys", {
    token: person.token,
    body: { name: "test", scopes: ["conversation:*", "model:read", "document:*"] },
  });
  const { key: apiKey } = (await made.json()) as { key: string };
  const options = { baseURL: `${parlance.url}/v1`, apiKey, maxRetries: 0 };
  return { client: new OpenAI(options), token: person.token };
}

const rolesOf = () =>
  provider
    .turns()
    .at(-1)
    ?.messages.map(({ role }) => role);
const idOf = (id: string) =>
  id.replace("conv_", "").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

test("responses go on in a conversation, which is one of the web app", async () => {
  provider.answerTurns({ text: ["Hello"] }, { text: ["Again"] });
  const conversation = await client.conversations.create({ metadata: { title: "Trip" } });
  expect(conversation).toMatchObject({
    object: "conversation",
    metadata: { title: "Trip" },
  });
  const first = await client.responses.create({
    model,
    input: "One",
    conversation: conversation.id,
  });
  expect(first).toMatchObject({
    status: "completed",
    conversation: { id: conversation.id },
    output_text: "Hello",
  });
  const stream = client.responses.stream({
    model,
    input: [{ role: "user", content: "Two" }],
    conversation: { id: conversation.id },
  });
  const types = new Set<string>();
  for await (const { type } of stream) types.add(type);
  expect([...types]).toContain("response.output_text.delta");
  expect((await stream.finalResponse()).output_text).toBe("Again");
  expect(rolesOf()).toEqual(["user", "assistant", "user"]);
  const shown = await parlance.request(`/api/v1/conversation/${idOf(conversation.id)}`, {
    token,
  });
  const { title, messages } = (await shown.json()) as {
    title: string;
    messages: { content: string }[];
  };
  expect(title).toBe("Trip");
  expect(messages.map(({ content }) => content)).toEqual(["One", "Hello", "Two", "Again"]);
  const texts = async (order: "asc" | "desc") => {
    const said: string[] = [];
    const items = client.conversations.items.list(conversation.id, { order, limit: 3 });
    for await (const item of items)
      if (item.type === "message")
        said.push(...item.content.map((part) => ("text" in part ? part.text : "")));
    return said;
  };
  expect(await texts("asc")).toEqual(["One", "Hello", "Two", "Again"]);
  expect(await texts("desc")).toEqual(["Again", "Two", "Hello", "One"]);
  expect(await client.responses.retrieve(first.id)).toMatchObject({ output_text: "Hello" });
  await client.conversations.delete(conversation.id);
  await expect(client.conversations.retrieve(conversation.id)).rejects.toMatchObject({
    status: 404,
  });
});

test("the reply goes on when its client leaves, and ends when its response is cancelled", async () => {
  provider.answer(() => ({
    text: Array.from({ length: 20 }, (_, at) => `${at} `),
    delayMs: 20,
  }));
  const { id: conversation } = await client.conversations.create();
  const stream = await client.responses.create({
    model,
    input: "Count",
    conversation,
    stream: true,
  });
  for await (const { type } of stream) if (type === "response.output_text.delta") break;
  await vi.waitFor(async () => {
    const { data } = await client.conversations.items.list(conversation);
    expect(data[0]).toMatchObject({ role: "assistant", status: "completed" });
  }, 20_000);
  provider.answer(() => ({ text: ["a", "b"], fault: "stall", faultAfter: 1 }));
  const waiting = { model, input: "Wait", conversation, background: true };
  const { id } = await client.responses.create(waiting);
  const before = provider.aborted;
  await client.responses.cancel(id);
  await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 10_000);
});

test("a file of the user is a file of the conversation", async () => {
  provider.answerTurns({ text: ["Read"] });
  const file = new File(["The code is 4711."], "code.txt", { type: "text/plain" });
  const { id: file_id } = await client.files.create({ file, purpose: "user_data" });
  const { id: conversation } = await client.conversations.create();
  await client.responses.create({
    model,
    conversation,
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is it?" },
          { type: "input_file", file_id },
        ],
      },
    ],
  });
  expect(JSON.stringify(provider.turns().at(-1)?.messages)).toContain("4711");
});

test("what a conversation decides by itself is refused by name, and another's is not found", async () => {
  const { id: conversation } = await client.conversations.create();
  const ask = { model, input: "Hi", conversation };
  const tool = {
    type: "function" as const,
    name: "f",
    strict: false,
    parameters: { type: "object" },
  };
  for (const more of [
    { temperature: 0.5 },
    { tools: [tool] },
    { previous_response_id: "resp_1" },
    { store: false },
  ])
    await expect(client.responses.create({ ...ask, ...more })).rejects.toMatchObject({
      status: 400,
      code: "conversation_has_settings",
    });
  await expect(
    client.responses.create({ ...ask, input: [{ role: "assistant", content: "I said" }] }),
  ).rejects.toMatchObject({ code: "conversation_takes_text" });
  const other = await newClient("ben");
  for (const refused of [
    () => other.client.responses.create(ask),
    () => other.client.conversations.retrieve(conversation),
    () => other.client.conversations.items.list(conversation),
    () => other.client.conversations.delete(conversation),
  ])
    await expect(refused()).rejects.toMatchObject({ status: 404 });
});

test("a conversation begins with the items that are sent, and goes on from them", async () => {
  provider.answerTurns({ text: ["Nine coins."] });
  const { id } = await client.conversations.create({
    items: [
      { type: "message", role: "user", content: "The ferry costs nine coins." },
      {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "Remember it." }],
      },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "I do." }],
      },
      { type: "message", role: "user", content: "Good." },
    ] as never, // the client's types leave out answers
  });
  const said: string[] = [];
  for await (const item of client.conversations.items.list(id, { order: "asc" }))
    if (item.type === "message")
      said.push(...item.content.map((part) => ("text" in part ? part.text : "")));
  expect(said).toEqual(["The ferry costs nine coins.\n\nRemember it.", "I do.", "Good."]);
  const answer = await client.responses.create({
    model,
    input: "How much?",
    conversation: id,
  });
  expect(answer.output_text).toBe("Nine coins.");
  expect(rolesOf()).toEqual(["user", "assistant", "user", "user"]);
});

test.each([
  [[{ type: "message", role: "assistant", content: "I am first." }]],
  [[{ type: "message", role: "system", content: "Be brief." }]],
  [[{ type: "message", role: "user", content: "  " }]],
  [[{ type: "function_call", call_id: "c", name: "f", arguments: "{}" }]],
  [[{ type: "message", role: "user", content: [{ type: "input_file", file_id: "f" }] }]],
  [Array.from({ length: 21 }, () => ({ type: "message", role: "user", content: "x" }))],
])(
  "a conversation that cannot begin with its items is refused, and not there: %#",
  async (items) => {
    const count = async () => {
      const listed = await parlance.request("/api/v1/conversation/chat-history", { token });
      return ((await listed.json()) as { total: number }).total;
    };
    const before = await count();
    await expect(
      client.conversations.create({ items: items as never }),
    ).rejects.toMatchObject({
      status: 400,
    });
    expect(await count()).toBe(before);
  },
);
