import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** Tests with the unchanged official client. */
const USED = {
  inputTokens: 9,
  outputTokens: 3,
  cachedInputTokens: 3,
  cacheWriteInputTokens: 4,
};
let client: Anthropic;
let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    weather: { run: ({ city }) => text(`Sunny in ${String(city)}`) },
    erase: { annotations: { destructiveHint: true }, run: () => text("gone") },
  });
  parlance = await startTestServer({
    ...settingsOf(provider),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "test", scopes: ["conversation:create", "model:read"] },
  });
  const { key } = (await made.json()) as { key: string };
  client = new Anthropic({ baseURL: parlance.url, apiKey: key, maxRetries: 0 });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const model = "openai/gpt-test";
const WEATHER = {
  name: "weather",
  description: "The weather",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } } },
};
/** Newer clients do not know it, and older ones send it. */
const WARM = { temperature: 0.1 };
const question = { role: "user" as const, content: "What is the weather in Bonn?" };

test("models are listed in the form of the client that asks, page by page", async () => {
  const ids: string[] = [];
  for await (const one of client.models.list({ limit: 1 })) {
    expect(one).toMatchObject({ type: "model", display_name: one.id });
    expect(Number.isNaN(Date.parse(one.created_at))).toBe(false);
    ids.push(one.id);
  }
  const plain = await parlance.request("/v1/models");
  const { data } = (await plain.json()) as { data: { id: string }[] };
  // a model that makes vectors answers no messages
  const chatting = data.map(({ id }) => id).filter((id) => id !== "hashed-words-v1");
  expect(ids).toEqual(chatting);
  expect(ids.length).toBeGreaterThan(1);
  const [first = "", second = ""] = ids;
  const before = await client.models.list({ before_id: second, limit: 1 });
  expect(before.data.map(({ id }) => id)).toEqual([first]);
  expect(before.has_more).toBe(false);
  await expect(client.models.list({ before_id: "nowhere" })).rejects.toThrow("nowhere");
  expect((await client.models.retrieve(first)).id).toBe(first);
  await expect(client.models.retrieve("nowhere")).rejects.toMatchObject({
    status: 404,
    error: { type: "error", error: { code: "model_not_found" } },
  });
});

test("a message streams with thoughts and a call that the client answers", async () => {
  provider.answer((_, { messages }) =>
    messages.some(({ role }) => role === "tool")
      ? { text: ["It is ", "sunny."], usage: { inputTokens: 30, outputTokens: 4 } }
      : {
          reasoning: ["Where is ", "Bonn?"],
          text: ["I look."],
          toolCalls: [{ id: "call_7", name: "weather", arguments: { city: "Bonn" } }],
        },
  );
  const stream = client.messages.stream({
    model,
    max_tokens: 500,
    system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
    messages: [question],
    tools: [WEATHER],
  });
  const types = new Set<string>();
  stream.on("streamEvent", ({ type }) => types.add(type));
  const asked = await stream.finalMessage();
  expect([...types]).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  expect(asked.stop_reason).toBe("tool_use");
  expect(asked.content).toMatchObject([
    { type: "thinking", thinking: "Where is Bonn?" },
    { type: "text", text: "I look." },
    // what the provider wants back with its call
    { type: "redacted_thinking" },
    { type: "tool_use", id: "call_7", name: "weather", input: { city: "Bonn" } },
  ]);
  const done = await client.messages.create({
    model,
    max_tokens: 500,
    tools: [WEATHER],
    messages: [
      question,
      { role: "assistant", content: asked.content },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "call_7",
            content: [{ type: "text", text: "sun" }],
          },
          { type: "text", text: "So?" },
        ],
      },
    ],
  });
  expect(provider.requests.at(-1)?.messages).toMatchObject([
    { role: "user" },
    { role: "assistant", content: "I look.", tool_calls: [{ id: "call_7" }] },
    { role: "tool", tool_call_id: "call_7" },
    { role: "user" },
  ]);
  expect(done).toMatchObject({
    stop_reason: "end_turn",
    role: "assistant",
    type: "message",
  });
});

test("a reply that waits for nothing is one object, with its usage", async () => {
  provider.answer(() => ({ text: ["A dot."], usage: USED }));
  const done = await client.messages.create({
    model,
    max_tokens: 5,
    ...WARM,
    stop_sequences: ["\n"],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          {
            type: "image",
            source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
          },
          {
            type: "document",
            title: "A",
            source: { type: "text", media_type: "text/plain", data: "dots" },
          },
        ],
      },
    ],
  });
  expect(done).toMatchObject({
    model,
    content: [{ type: "text", text: "A dot." }],
    stop_reason: "end_turn",
    usage: {
      input_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
      output_tokens: 3,
    },
  });
  expect(provider.requests.at(-1)).toMatchObject({
    temperature: 0.1,
    max_completion_tokens: 5,
    stop: ["\n"],
    messages: [
      {
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url" },
          { type: "text", text: "A" },
          { type: "text", text: "dots" },
        ],
      },
    ],
  });
});

test("what limits a reply has Anthropic's names", async () => {
  const stopOf = async (finish: "length" | "content_filter") => {
    provider.answer(() => ({ text: ["A"], finish }));
    const ask = { model, max_tokens: 5, messages: [question] };
    return (await client.messages.create(ask)).stop_reason;
  };
  expect(await stopOf("length")).toBe("max_tokens");
  expect(await stopOf("content_filter")).toBe("refusal");
});

test("tools that Anthropic runs are left out, and refused where the choice names one", async () => {
  provider.answer(() => ({ text: ["no"] }));
  const ask = {
    model,
    max_tokens: 50,
    messages: [question],
    tools: [WEATHER, { type: "web_search_20250305" as const, name: "web_search" as const }],
  };
  await client.messages.create(ask);
  expect(provider.requests.at(-1)?.tools?.map(({ function: { name } }) => name)).toEqual([
    "weather",
  ]);
  const named = { ...ask, tool_choice: { type: "tool" as const, name: "web_search" } };
  await expect(client.messages.create(named)).rejects.toMatchObject({ status: 400 });
});

test("an agent runs its own tools, and their calls stay inside", async () => {
  const body = { name: "A", tools: ["weather"], model };
  const made = await parlance.request("/api/v1/agent", { body });
  const { id } = (await made.json()) as { id: string };
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["Sun."] }
      : { toolCalls: [{ name: "weather", arguments: { city: "Bonn" } }] },
  );
  const done = await client.messages.create({
    model: `agent:${id}`,
    max_tokens: 50,
    messages: [question],
  });
  expect(done.content).toMatchObject([{ type: "text", text: "Sun." }]);
  expect(done.stop_reason).toBe("end_turn");
});

test("errors have Anthropic's form, also in a stream that has begun", async () => {
  const unknown = { model: "no/model", max_tokens: 5, messages: [question] };
  await expect(client.messages.create(unknown)).rejects.toMatchObject({
    status: 404,
    error: { type: "error", error: { type: "not_found_error", code: "model_unknown" } },
  });
  const stranger = new Anthropic({ baseURL: parlance.url, apiKey: "pk_no", maxRetries: 0 });
  await expect(stranger.messages.create(unknown)).rejects.toBeInstanceOf(
    Anthropic.AuthenticationError,
  );
  const pdf = {
    type: "base64" as const,
    media_type: "application/pdf" as const,
    data: "JVBERi0=",
  };
  await expect(
    client.messages.create({
      ...unknown,
      model,
      messages: [{ role: "user", content: [{ type: "document", source: pdf }] }],
    }),
  ).rejects.toMatchObject({ status: 422 });
  provider.answer(() => ({ text: ["A", "B"], fault: "cut", faultAfter: 1 }));
  const stream = client.messages.stream({ model, max_tokens: 5, messages: [question] });
  await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError);
});

test("tokens are estimated", async () => {
  const { input_tokens } = await client.messages.countTokens({
    model,
    messages: [{ role: "user", content: "word ".repeat(800) }],
    tools: [WEATHER],
  });
  expect(input_tokens).toBeGreaterThan(900);
  expect(input_tokens).toBeLessThan(1_300);
});
