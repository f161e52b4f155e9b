import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson } from "./support/ask.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** Tests with the unchanged official client. */
const USED = {
  inputTokens: 30,
  outputTokens: 4,
  cachedInputTokens: 7,
  cacheWriteInputTokens: 5,
};
let client: OpenAI;
let other: OpenAI;
let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    weather: { run: ({ city }) => text(`Sunny in ${String(city)}`) },
  });
  parlance = await startTestServer({
    ...settingsOf(provider),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  client = await clientOf();
  const { token } = await newPerson(parlance, "other");
  other = await clientOf(token);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function clientOf(token?: string): Promise<OpenAI> {
  const made = await parlance.request("/api/v1/auth/api-keys", {
    ...(token !== undefined && { token }),
    body: { name: "test", scopes: ["conversation:create", "model:read"] },
  });
  const { key: apiKey } = (await made.json()) as { key: string };
  return new OpenAI({ baseURL: `${parlance.url}/v1`, apiKey, maxRetries: 0 });
}

const model = "openai/gpt-test";
const WEATHER = {
  type: "function" as const,
  name: "weather",
  description: "The weather",
  strict: false,
  parameters: { type: "object", properties: { city: { type: "string" } } },
};
const asked = () => provider.requests.at(-1)?.messages;

test("a response streams with thoughts and a call that the client answers", async () => {
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["It is ", "sunny."], usage: USED }
      : {
          reasoning: ["Where is ", "Bonn?"],
          text: ["I look."],
          toolCalls: [{ id: "call_7", name: "weather", arguments: { city: "Bonn" } }],
        },
  );
  const stream = client.responses.stream({
    model,
    instructions: "Be brief.",
    input: "What is the weather in Bonn?",
    tools: [WEATHER],
    store: false,
    include: ["reasoning.encrypted_content"],
  });
  const types: string[] = [];
  const numbers: number[] = [];
  for await (const { type, sequence_number } of stream) {
    if (types.at(-1) !== type) types.push(type);
    numbers.push(sequence_number);
  }
  expect(types).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_text.done",
    "response.reasoning_summary_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.output_item.done",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(numbers).toEqual(numbers.map((_, place) => place));
  const first = await stream.finalResponse();
  expect(first.output).toMatchObject([
    { type: "reasoning", summary: [{ text: "Where is Bonn?" }] },
    { type: "message", content: [{ text: "I look." }] },
    { type: "reasoning", summary: [] },
    { type: "function_call", call_id: "call_7", arguments: '{"city":"Bonn"}' },
  ]);
  const done = await client.responses.create({
    model,
    store: false,
    tools: [WEATHER],
    input: [
      { role: "user", content: "What is the weather in Bonn?" },
      ...(first.output as OpenAI.Responses.ResponseInputItem[]),
      { type: "function_call_output", call_id: "call_7", output: "sun" },
    ],
  });
  expect(done.output_text).toBe("It is sunny.");
  expect(done.usage).toMatchObject({
    input_tokens: 30,
    input_tokens_details: { cached_tokens: 7, cache_write_tokens: 5 },
    output_tokens: 4,
    total_tokens: 34,
  });
  expect(asked()).toMatchObject([
    { role: "user" },
    { role: "assistant", content: "I look.", tool_calls: [{ id: "call_7" }] },
    { role: "tool", tool_call_id: "call_7", content: "sun" },
  ]);
});

test("a stored response is continued, read, listed and deleted, by its user alone", async () => {
  provider.answer(() => ({ text: ["Blue."] }));
  const first = await client.responses.create({ model, input: "My colour is blue." });
  const second = await client.responses.create({
    model,
    instructions: "Be brief.",
    input: "Which is it?",
    previous_response_id: first.id,
    metadata: { topic: "colours" },
  });
  expect(asked()?.map(({ role, content }) => [role, content])).toEqual([
    ["system", "Be brief."],
    ["user", "My colour is blue."],
    ["assistant", "Blue."],
    ["user", "Which is it?"],
  ]);
  expect(await client.responses.retrieve(second.id)).toMatchObject({
    id: second.id,
    previous_response_id: first.id,
    metadata: { topic: "colours" },
    output_text: "Blue.",
    status: "completed",
  });
  const items = [];
  for await (const item of client.responses.inputItems.list(second.id)) items.push(item);
  expect(items).toMatchObject([{ role: "user", content: "Which is it?" }]);

  const foreign = { model, input: "And?", previous_response_id: second.id };
  await expect(other.responses.create(foreign)).rejects.toMatchObject({
    status: 400,
    code: "previous_response_not_found",
  });
  await expect(other.responses.retrieve(second.id)).rejects.toMatchObject({ status: 404 });
  await expect(other.responses.delete(second.id)).rejects.toMatchObject({ status: 404 });
  await expect(other.responses.inputItems.list(second.id)).rejects.toMatchObject({
    status: 404,
  });

  await client.responses.delete(first.id);
  await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
  await expect(client.responses.create(foreign)).rejects.toMatchObject({
    code: "previous_response_not_found",
  });
});

test("what is not stored cannot be named", async () => {
  provider.answer(() => ({ text: ["Blue."] }));
  const { id } = await client.responses.create({ model, input: "Hi", store: false });
  await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(client.responses.retrieve("resp_no")).rejects.toMatchObject({ status: 404 });
});

test("an item of a stored response is named by its id, in place of itself", async () => {
  provider.answer(() => ({
    toolCalls: [{ id: "call_8", name: "weather", arguments: { city: "Ulm" } }],
  }));
  const question = { role: "user" as const, content: "The weather in Ulm?" };
  const first = await client.responses.create({
    model,
    input: [question],
    tools: [WEATHER],
  });
  const result = {
    type: "function_call_output" as const,
    call_id: "call_8",
    output: "rain",
  };
  const references = first.output.map(({ id }) => ({
    type: "item_reference" as const,
    id: id ?? "",
  }));
  provider.answer(() => ({ text: ["Rain."] }));
  await client.responses.create({ model, input: [question, ...references, result] });
  expect(asked()).toMatchObject([
    { role: "user" },
    { role: "assistant", tool_calls: [{ id: "call_8" }] },
    { role: "tool", tool_call_id: "call_8" },
  ]);
  const input = [question, ...references, result];
  await expect(other.responses.create({ model, input })).rejects.toMatchObject({
    status: 400,
    code: "item_not_found",
  });
});

test("custom tools take free text, and tools of a namespace keep it", async () => {
  provider.answer(() => ({
    toolCalls: [
      { id: "call_1", name: "patch", arguments: { input: "*** Begin" } },
      { id: "call_2", name: "crm__find", arguments: { name: "Ann" } },
    ],
  }));
  const input = [{ role: "user" as const, content: "Do both." }];
  const ask = {
    model,
    input,
    stream: false,
    tools: [
      {
        type: "custom",
        name: "patch",
        format: { type: "grammar", syntax: "lark", definition: "start: ANY" },
      },
      {
        type: "namespace",
        name: "crm",
        description: "Customers",
        tools: [{ ...WEATHER, name: "find" }],
      },
    ],
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
  const { output } = await client.responses.create(ask);
  expect(provider.requests.at(-1)?.tools).toMatchObject([
    { function: { name: "patch", description: expect.stringContaining("start: ANY") } },
    { function: { name: "crm__find" } },
  ]);
  const calls = output.filter(({ type }) => type !== "reasoning");
  expect(calls).toMatchObject([
    { type: "custom_tool_call", name: "patch", input: "*** Begin" },
    { type: "function_call", name: "find", namespace: "crm", arguments: '{"name":"Ann"}' },
  ]);
  provider.answer(() => ({ text: ["Done."] }));
  await client.responses.create({
    ...ask,
    input: [
      ...input,
      ...(output as OpenAI.Responses.ResponseInputItem[]),
      { type: "custom_tool_call_output", call_id: "call_1", output: "patched" },
      { type: "function_call_output", call_id: "call_2", output: "found" },
    ],
  });
  expect(asked()).toMatchObject([
    { role: "user" },
    { role: "assistant", tool_calls: [{ id: "call_1" }, { id: "call_2" }] },
    { role: "tool", content: "patched" },
    { role: "tool", content: "found" },
  ]);
});

test("tools that OpenAI runs are left out, and refused where the choice names one", async () => {
  provider.answer(() => ({ text: ["no"] }));
  const ask = { model, input: "News?", tools: [WEATHER, { type: "web_search" as const }] };
  await client.responses.create(ask);
  expect(provider.requests.at(-1)?.tools?.map(({ function: { name } }) => name)).toEqual([
    "weather",
  ]);
  const named = { ...ask, tool_choice: { type: "web_search_preview" as const } };
  await expect(client.responses.create(named)).rejects.toMatchObject({
    code: "tool_choice_unknown",
  });
});

test("settings, images and formats are passed on; what is not done is refused by name", async () => {
  provider.answer(() => ({ text: ['{"a":1}'] }));
  await client.responses.create({
    model,
    max_output_tokens: 9,
    temperature: 0.2,
    reasoning: { effort: "low" },
    text: { format: { type: "json_schema", name: "a", schema: { type: "object" } } },
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is this?" },
          {
            type: "input_image",
            detail: "auto",
            image_url: "data:image/png;base64,iVBORw0KGgo=",
          },
        ],
      },
    ],
  });
  expect(provider.requests.at(-1)).toMatchObject({
    temperature: 0.2,
    max_completion_tokens: 9,
    reasoning_effort: "low",
    response_format: { type: "json_schema" },
    messages: [{ content: [{ type: "text" }, { type: "image_url" }] }],
  });
  for (const more of [
    { conversation: "conv_1" },
    { prompt: { id: "p" } },
    { top_logprobs: 2 },
    { include: ["message.output_text.logprobs" as const] },
  ])
    await expect(
      client.responses.create({ model, input: "Hi", ...more }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(Object.keys(more)[0] ?? ""),
    });
});

test("a reply that is cut says so, and a failure is the last event", async () => {
  provider.answer(() => ({ text: ["A"], finish: "length" }));
  expect(await client.responses.create({ model, input: "Hi" })).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  });
  provider.answer(() => ({ text: ["A", "B"], fault: "cut", faultAfter: 1 }));
  const events = [];
  for await (const event of await client.responses.create({
    model,
    input: "Hi",
    stream: true,
  }))
    events.push(event);
  expect(events.at(-1)).toMatchObject({
    type: "response.failed",
    response: { status: "failed", error: { code: expect.any(String) } },
  });
  await expect(
    client.responses.create({ model: "no/model", input: "Hi" }),
  ).rejects.toMatchObject({ status: 404, code: "model_not_found" });
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
  const done = await client.responses.create({ model: `agent:${id}`, input: "Weather?" });
  expect(done.output).toMatchObject([{ type: "message", content: [{ text: "Sun." }] }]);
});
