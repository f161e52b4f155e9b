import OpenAI from "openai";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";
import { settingsOf } from "./support/scripted-server.ts";

/** Tests with the unchanged official client. */
const USED = {
  inputTokens: 30,
  outputTokens: 4,
  cachedInputTokens: 7,
  cacheWriteInputTokens: 5,
};
let client: OpenAI;
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
  client = new OpenAI({
    baseURL: `${parlance.url}/v1`,
    apiKey: await apiKey(["conversation:create", "model:read"]),
    maxRetries: 0,
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function apiKey(scopes: string[]): Promise<string> {
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "test", scopes },
  });
  return ((await made.json()) as { key: string }).key;
}
const agent = async (body: object) =>
  (
    (await (
      await parlance.request("/api/v1/agent", { body: { name: "Agent", ...body } })
    ).json()) as { id: string }
  ).id;
const user = { role: "user" as const, content: "What is the weather in Bonn?" };
const WEATHER = {
  type: "function" as const,
  function: {
    name: "weather",
    description: "The weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};

test("a conversation streams with a tool call that the client answers", async () => {
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["It is ", "sunny."], usage: USED }
      : { toolCalls: [{ id: "call_7", name: "weather", arguments: { city: "Bonn" } }] },
  );
  const first = client.chat.completions.stream({
    model: "openai/gpt-test",
    messages: [user],
    tools: [WEATHER],
  });
  const asked = (await first.finalChatCompletion()).choices[0];
  expect(asked?.finish_reason).toBe("tool_calls");
  expect(asked?.message.tool_calls).toMatchObject([
    {
      id: "call_7",
      type: "function",
      function: { name: "weather", arguments: '{"city":"Bonn"}' },
    },
  ]);
  if (!asked) throw new Error("there is no choice");
  const answer = { role: "tool" as const, tool_call_id: "call_7", content: "sunny" };
  const stream = await client.chat.completions.create({
    model: "openai/gpt-test",
    messages: [user, asked.message, answer],
    tools: [WEATHER],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(
    "It is sunny.",
  );
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: {
      prompt_tokens: 30,
      completion_tokens: 4,
      total_tokens: 34,
      prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 5 },
    },
  });
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(provider.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
  ]);
});

test("without streaming the reply is one object; images and limits are passed on", async () => {
  provider.answer(() => ({ text: ["A dot."], finish: "length" }));
  const done = await client.chat.completions.create({
    model: "openai/gpt-test",
    messages: [
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
        ],
      },
    ],
    temperature: 0.1,
    max_completion_tokens: 5,
    stop: "\n",
    response_format: {
      type: "json_schema",
      json_schema: { name: "a", schema: { type: "object" } },
    },
  });
  expect(done).toMatchObject({
    object: "chat.completion",
    choices: [
      { message: { role: "assistant", content: "A dot." }, finish_reason: "length" },
    ],
  });
  expect(provider.requests.at(-1)).toMatchObject({
    temperature: 0.1,
    max_completion_tokens: 5,
    stop: ["\n"],
    response_format: { type: "json_schema" },
  });
  expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain(
    "data:image/png;base64,iVBORw0KGgo=",
  );
});

test("models and agents are listed, and an agent answers with its instructions and its own tools", async () => {
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["Sunny, says the tool."] }
      : { toolCalls: [{ name: "weather", arguments: { city: "Bonn" } }] },
  );
  const id = await agent({ instructions: "You know the weather.", tools: ["weather"] });
  const listed = [];
  for await (const model of client.models.list()) listed.push(model.id);
  expect(listed).toEqual(expect.arrayContaining(["openai/gpt-test", `agent:${id}`]));
  expect((await client.models.retrieve(`agent:${id}`)).id).toBe(`agent:${id}`);
  await vi.waitFor(async () => {
    const done = await client.chat.completions.create({
      model: `agent:${id}`,
      messages: [user],
    });
    expect(done.choices[0]?.message.content).toBe("Sunny, says the tool.");
  }, 90_000);
  expect(tools.calls).toContain("weather");
  expect(JSON.stringify(provider.requests.at(-1)?.messages[0])).toContain(
    "You know the weather.",
  );
  const stream = await client.chat.completions.create({
    model: id,
    messages: [user],
    stream: true,
  });
  let streamed = "";
  for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? "";
  expect(streamed).toBe("Sunny, says the tool.");
  await expect(
    client.chat.completions.create({ model: id, messages: [user], tools: [WEATHER] }),
  ).rejects.toMatchObject({
    status: 400,
  });
});

test("an agent's destructive tool needs a user's approval, so it does not run here", async () => {
  provider.answer(() => ({ toolCalls: [{ name: "erase", arguments: {} }] }));
  const id = await agent({ tools: ["erase"] });
  await expect(
    client.chat.completions.create({ model: id, messages: [user] }),
  ).rejects.toMatchObject({
    status: 409,
    code: "approval_needed",
  });
  expect(tools.calls).not.toContain("erase");
});

test("errors have the format of the protocol", async () => {
  provider.answer(() => ({ status: 401 }));
  const ask = (more: object, by = client) =>
    by.chat.completions
      .create({ model: "openai/gpt-test", messages: [user], ...more })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  expect(await ask({})).toMatchObject({
    status: 502,
    code: "provider_refused_key",
    type: "server_error",
  });
  expect(await ask({ stream: true })).toMatchObject({
    status: 502,
    code: "provider_refused_key",
  });
  expect(await ask({ model: "nobody" })).toMatchObject({
    status: 404,
    code: "model_not_found",
    type: "invalid_request_error",
  });
  expect(await ask({ model: "agent:01a1fb8b-2522-72b4-a6e7-60a70d8e06b0" })).toMatchObject({
    status: 404,
    code: "agent_not_found",
  });
  expect(await ask({ n: 2 })).toMatchObject({ status: 400, code: "validation_failed" });
  expect(await ask({ messages: [] })).toMatchObject({ status: 400 });
  expect(
    await ask({
      messages: [
        {
          role: "user",
          content: [{ type: "image_url", image_url: { url: "file:///etc/passwd" } }],
        },
      ],
    }),
  ).toMatchObject({ status: 400, code: "image_invalid" });
  expect(
    await ask({
      tools: [WEATHER],
      tool_choice: { type: "function", function: { name: "other" } },
    }),
  ).toMatchObject({
    status: 400,
  });
  const stranger = new OpenAI({
    baseURL: `${parlance.url}/v1`,
    apiKey: "pk_wrong",
    maxRetries: 0,
  });
  expect(await ask({}, stranger)).toMatchObject({
    status: 401,
    type: "authentication_error",
  });
  const narrow = new OpenAI({
    baseURL: `${parlance.url}/v1`,
    apiKey: await apiKey(["tool:use"]),
    maxRetries: 0,
  });
  expect(await ask({}, narrow)).toMatchObject({ status: 403, code: "scope_missing" });
});

test("what ordinary clients send is passed on, or refused in words", async () => {
  provider.answer(() => ({ text: ["fine"] }));
  const ask = async (more: object) => {
    provider.requests.length = 0;
    const response = await parlance.request("/v1/chat/completions", {
      body: {
        model: "openai/gpt-test",
        messages: [{ role: "user", content: "hi" }],
        ...more,
      },
    });
    const { error } = (await response.json()) as {
      error?: { message: string; param: string | null };
    };
    return {
      status: response.status,
      sent: provider.requests[0],
      said: error?.message,
      param: error?.param,
    };
  };
  for (const [name, value] of Object.entries({
    frequency_penalty: 1,
    presence_penalty: -1,
    seed: 7,
    logit_bias: { 5: -100 },
    reasoning_effort: "high",
    verbosity: "low",
    // what only the provider may know
    top_k: 40,
    min_p: 0.1,
    chat_template_kwargs: { enable_thinking: false },
    prediction: { type: "content", content: "a" },
  }))
    expect((await ask({ [name]: value })).sent).toHaveProperty(name, value);
  const tools = [WEATHER];
  expect((await ask({ tools, parallel_tool_calls: false })).sent).toMatchObject({
    parallel_tool_calls: false,
  });
  for (const [name, value] of Object.entries({
    functions: [{ name: "f" }],
    function_call: "auto",
    logprobs: true,
    top_logprobs: 3,
    n: 2,
    modalities: ["text", "audio"],
    audio: { voice: "alloy" },
    web_search_options: {},
    // what would choose another model, price or address at the provider
    models: ["openai/dearer"],
    api_base: "https://elsewhere.example",
    nobody_knows_this: 1,
  })) {
    const { status, sent, said, param } = await ask({ [name]: value });
    expect([name, status, sent]).toEqual([name, 400, undefined]);
    expect(said).toContain(name);
    expect(param?.split(".")[0]).toBe(name);
  }
  // what clients send by default changes nothing
  const { status, sent } = await ask({
    frequency_penalty: 0,
    presence_penalty: 0,
    logit_bias: {},
    parallel_tool_calls: true,
    max_tokens: -1,
    logprobs: false,
    functions: null,
    n: 1,
    seed: null,
    store: false,
    metadata: { a: "b" },
    user: "u",
    safety_identifier: "u",
    prompt_cache_key: "k",
    top_k: null,
  });
  expect(status).toBe(200);
  expect(Object.keys(sent ?? {}).toSorted()).toEqual([
    "messages",
    "model",
    "stream",
    "stream_options",
  ]);
});

test("names of participants and refusals in the history reach the model", async () => {
  provider.answer(() => ({ text: ["fine"] }));
  provider.requests.length = 0;
  await client.chat.completions.create({
    model: "openai/gpt-test",
    messages: [
      { role: "user", name: "bob", content: "hi" },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      { role: "user", content: "why?" },
    ],
  });
  expect(provider.requests[0]?.messages).toEqual([
    { role: "user", name: "bob", content: "hi" },
    { role: "assistant", content: "No." },
    { role: "user", content: "why?" },
  ]);
});

test("strict tools and the detail of images reach OpenAI's models", async () => {
  provider.answer(() => ({ text: ["fine"] }));
  provider.requests.length = 0;
  const image = "data:image/png;base64,iVBORw0KGgo=";
  await client.chat.completions.create({
    model: "openai/gpt-test",
    tools: [{ ...WEATHER, function: { ...WEATHER.function, strict: true } }],
    messages: [
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: image, detail: "low" } }],
      },
    ],
  });
  expect(provider.requests[0]).toMatchObject({
    tools: [{ function: { strict: true } }],
    messages: [{ content: [{ image_url: { url: image, detail: "low" } }] }],
  });
});

test("an agent takes no settings from a request, but those that change nothing", async () => {
  provider.answer(() => ({ text: ["fine"] }));
  const id = await agent({ instructions: "Be brief.", model: "openai/gpt-test" });
  const ask = (more: object) =>
    parlance.request("/v1/chat/completions", {
      body: { model: `agent:${id}`, messages: [user], ...more },
    });
  expect((await ask({ top_p: 1, frequency_penalty: 0, temperature: 0.3 })).status).toBe(
    200,
  );
  for (const more of [
    { top_p: 0.5 },
    { stop: "." },
    { seed: 7 },
    { response_format: { type: "json_object" } },
  ]) {
    const response = await ask(more);
    expect([more, response.status]).toEqual([more, 400]);
    expect(await response.json()).toMatchObject({ error: { code: "agent_has_settings" } });
  }
});

test("a path or a method that is not there is an error of the protocol", async () => {
  const asked = async (path: string, method: string) => {
    const answer = await parlance.request(path, { method });
    return { status: answer.status, body: await answer.json() };
  };
  const type = "invalid_request_error";
  expect(await asked("/v1/nothing", "GET")).toMatchObject({
    status: 404,
    body: { error: { type, param: null, code: "not_found", message: expect.any(String) } },
  });
  for (const path of ["/v1/chat/completions", "/v1/embeddings", "/v1/responses/resp_1"])
    expect(await asked(path, "PUT")).toMatchObject({
      status: 405,
      body: { error: { type, code: "method_not_allowed" } },
    });
  expect(await asked("/v1/messages", "GET")).toMatchObject({
    status: 405,
    body: { type: "error", error: { message: expect.any(String) } },
  });
  expect(await asked("/scim/v2/nothing/here", "GET")).toMatchObject({
    status: 404,
    body: { status: "404", schemas: [expect.stringContaining("Error")] },
  });
  // our own
  expect(await asked("/api/v1/nothing", "GET")).toMatchObject({
    status: 404,
    body: { code: "not_found", error: expect.any(String) },
  });
});
