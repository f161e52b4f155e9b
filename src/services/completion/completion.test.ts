import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import {
  completionServer as parlance,
  KEY,
  lines,
  textOf,
} from "../../../test/support/completion-server.ts";
import type { Reply, Wire } from "../../../test/support/fake-provider/script.ts";
import type { ProviderKind } from "./contract-provider-kinds.ts";
import type { Message } from "./contract.ts";

/** What each kind's requests must look like, besides the body that the others share. */
const PATHS: Partial<Record<ProviderKind, RegExp>> = {
  openai: /^\/v1\/chat\/completions$/,
  "openai-compatible": /^\/v1\/chat\/completions$/,
  ollama: /^\/v1\/v1\/chat\/completions$/,
  azure: /^\/v1\/openai\/deployments\/m1\/chat\/completions\?api-version=2024-10-21$/,
  anthropic: /^\/v1\/messages$/,
  google: /^\/v1beta\/models\/m1:streamGenerateContent\?alt=sse$/,
  bedrock: /^\/v1\/model\/m1\/converse-stream$/,
};

const TOOLS = [
  {
    name: "weather",
    description: "The weather",
    inputSchema: { type: "object", properties: { city: { type: "string" } } },
  },
];
const TALK: Message[] = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
    ],
  },
  {
    role: "assistant",
    content: "",
    toolCalls: [
      { id: "call_0", type: "tool_call", name: "weather", arguments: { city: "Rome" } },
    ],
  },
  { role: "tool", content: "sunny", toolCallId: "call_0" },
];

describe.each<[ProviderKind, Wire]>([
  ["openai", "openai"],
  ["openai-compatible", "openai"],
  ["mistral", "mistral"],
  ["anthropic", "anthropic"],
  ["google", "google"],
  ["azure", "openai"],
  ["ollama", "openai"],
  ["bedrock", "bedrock"],
])("a provider of kind %s", (kind, wire) => {
  test("streams text, parallel tool calls and its usage", async () => {
    const calls = ["Paris", "Oslo"].map((city, index) => ({
      id: `toolcall${index}`,
      name: "weather",
      arguments: { city },
    }));
    const { ask, provider, transactions } = await parlance({
      kind,
      wire,
      replies: [
        {
          steps: [{ text: "Let me" }, { text: " look ☂" }, { calls }],
          finish: "tool_calls",
          usage: { inputTokens: 20, outputTokens: 9 },
        },
      ],
    });
    const response = await ask({
      messages: TALK,
      tools: TOOLS,
      context: { userId: "u1", conversationId: "c1" },
    });
    expect(response.headers.get("content-type")).toContain("application/x-ndjson");
    const events = await lines(response);
    expect(textOf(events)).toBe("Let me look ☂");
    expect(
      events
        .filter(({ type }) => type === "tool_call")
        .map((event) => [event["name"], event["arguments"]]),
    ).toEqual([
      ["weather", { city: "Paris" }],
      ["weather", { city: "Oslo" }],
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "done",
      finishReason: "tool_calls",
      usage: { inputTokens: 20, outputTokens: 9 },
    });
    // Ollama needs none
    if (kind !== "ollama")
      expect(JSON.stringify(provider.requests[0]?.headers)).toContain(KEY);
    expect(provider.requests[0]?.path).toMatch(PATHS[kind] ?? /./);
    expect(JSON.stringify(provider.requests[0]?.body)).toContain("iVBORw0KGgo=");
    expect(transactions).toMatchObject([
      {
        provider: "fake",
        model: "m1",
        userId: "u1",
        conversationId: "c1",
        inputTokens: 20,
        outputTokens: 9,
      },
    ]);
    expect(transactions[0]).not.toHaveProperty("estimated");
  });

  test("answers one line without streaming", async () => {
    const { ask } = await parlance({
      kind,
      wire,
      replies: [
        {
          steps: [{ text: "Hi" }, { text: " there" }],
          usage: { inputTokens: 3, outputTokens: 2 },
        },
      ],
    });
    const events = await lines(await ask({ stream: false }));
    expect(events).toMatchObject([
      {
        type: "message",
        content: "Hi there",
        toolCalls: [],
        finishReason: "stop",
        usage: { inputTokens: 3, outputTokens: 2 },
      },
    ]);
  });

  test("a reply that breaks off keeps its text and ends with an error", async () => {
    const { ask, transactions } = await parlance({
      kind,
      wire,
      replies: [{ steps: [{ text: "Half" }, { pauseMs: 30 }, { cut: true }] }],
    });
    const events = await lines(await ask());
    expect(textOf(events)).toBe("Half");
    expect(events.at(-1)).toMatchObject({
      type: "error",
      code: "provider_cut",
      retryable: true,
    });
    expect(transactions).toMatchObject([{ finishReason: "error", estimated: true }]);
  });

  test("a provider that stalls is ended by the timeout", async () => {
    const { ask } = await parlance({
      kind,
      wire,
      timeoutMs: 1_000,
      replies: [{ steps: [{ text: "Half" }, { stall: true }] }],
    });
    const events = await lines(await ask());
    expect(textOf(events)).toBe("Half");
    expect(events.at(-1)).toMatchObject({ type: "error", code: "provider_timeout" });
  });

  test("a refusal is an HTTP error without the provider's words or key", async () => {
    const { ask, provider } = await parlance({
      kind,
      wire,
      replies: [{ status: 401, body: `{"error":{"message":"bad key ${KEY}"}}` }],
    });
    const response = await ask();
    expect(response.status).toBe(502);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: "provider_refused_key" });
    expect(text).not.toContain(KEY);
    expect(provider.requests).toHaveLength(1);
  });

  test.each(["flowing", "silent"])(
    "a client that leaves a %s reply closes the provider's request",
    async (state) => {
      const replies: Reply[] =
        state === "silent"
          ? [{ silent: true }]
          : [{ steps: [{ text: "On" }, { stall: true }] }];
      const { ask, provider, transactions } = await parlance({ kind, wire, replies });
      const leave = new AbortController();
      const asked = ask({}, { signal: leave.signal });
      const reading = asked.then((response) => response.text()).catch(() => "left");
      if (state === "flowing") await asked;
      await expect.poll(() => provider.requests.length).toBe(1);
      leave.abort();
      await reading;
      expect(await provider.requests[0]?.ended).toBe("cut");
      // a request that is left before its first token is charged, too
      await expect
        .poll(() => transactions)
        .toMatchObject([
          { finishReason: "cancelled", estimated: true, inputTokens: expect.any(Number) },
        ]);
      expect(transactions[0]?.inputTokens).toBeGreaterThan(0);
    },
  );
});

test("an image counts as an image in an estimate, not by the length of its file", async () => {
  const { ask, transactions } = await parlance({ replies: [{ steps: [{ text: "Yes" }] }] });
  const data = "A".repeat(4_000_000);
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image", mediaType: "image/png", data },
  ];
  await lines(await ask({ messages: [{ role: "user", content }] }));
  expect(transactions).toMatchObject([{ estimated: true }]);
  expect(transactions[0]?.inputTokens).toBeGreaterThan(500);
  expect(transactions[0]?.inputTokens).toBeLessThan(5_000);
});

test("a request that is cancelled before the provider is asked counts nothing", async () => {
  const replies = [{ steps: [{ text: "Yes" }] }];
  const { ask, provider, transactions } = await parlance({
    kind: "google",
    wire: "google",
    replies,
  });
  await using images = await startSilentServer();
  const leave = new AbortController();
  const content = [{ type: "image", mediaType: "image/png", url: images.url }];
  const body = { messages: [{ role: "user", content }] };
  const asked = ask(body, { signal: leave.signal }).catch(() => "left");
  await images.asked;
  leave.abort();
  await asked;
  await images.left;
  // what is recorded is recorded in order
  await lines(await ask());
  expect(provider.requests).toHaveLength(1);
  expect(transactions).toMatchObject([{ finishReason: "stop" }]);
});

/** Never answers. */
async function startSilentServer() {
  const server = createServer();
  const asked = once(server, "request");
  const left = asked.then(
    ([request]) =>
      new Promise((done) => (request as IncomingMessage).socket.once("close", done)),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/image.png`,
    asked,
    left,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("the OpenAI-compatible path", () => {
  test("retries before the first token, after the time that the provider names", async () => {
    const { ask, provider } = await parlance({
      replies: [
        { status: 429, headers: { "retry-after": "0" } },
        { status: 500 },
        { steps: [{ text: "Yes" }] },
      ],
    });
    expect(textOf(await lines(await ask()))).toBe("Yes");
    expect(provider.requests).toHaveLength(3);
  });

  test("passes on a long wait instead of waiting", async () => {
    const { ask, provider } = await parlance({
      replies: [{ status: 429, headers: { "retry-after": "120" } }],
    });
    const response = await ask();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "120"]);
    expect(provider.requests).toHaveLength(1);
  });

  test.each([
    ["garbage", "<html>nonsense</html>\n\n"],
    ["broken JSON", "data: {nope\n\n"],
    ["a line of 10 MB", `data: "${"x".repeat(10 * 1024 * 1024)}`],
  ])("%s ends the reply and keeps the text that came with it", async (_, raw) => {
    const { ask } = await parlance({
      replies: [{ steps: [{ text: "Start" }, { raw }, { stall: true }] }],
    });
    const events = await lines(await ask());
    expect(textOf(events)).toBe("Start");
    expect(events.at(-1)).toMatchObject({ type: "error", code: "provider_invalid" });
  });

  test("an error in the stream ends it", async () => {
    const { ask } = await parlance({
      replies: [
        {
          steps: [
            { text: "Start" },
            { raw: 'data: {"error":{"message":"overloaded","code":503}}\n\n' },
          ],
        },
      ],
    });
    expect((await lines(await ask())).at(-1)).toMatchObject({
      type: "error",
      code: "provider_failed",
      retryable: true,
    });
  });

  test("separates reasoning from text, and reports cached tokens", async () => {
    const usage = { inputTokens: 100, outputTokens: 2, cachedInputTokens: 64 };
    const { ask } = await parlance({
      replies: [{ steps: [{ reasoning: "Hm" }, { text: "42" }], usage }],
    });
    const events = await lines(await ask());
    expect(events.map(({ type }) => type)).toEqual([
      "reasoning_delta",
      "text_delta",
      "done",
    ]);
    expect(events.at(-1)?.["usage"]).toEqual(usage);
  });

  test.each<[ProviderKind, string]>([
    ["openai", "max_completion_tokens"],
    ["openai-compatible", "max_tokens"],
  ])("the limit of tokens has the name that %s knows", async (kind, field) => {
    const { ask, provider } = await parlance({
      kind,
      replies: [{ steps: [{ text: "Yes" }] }],
    });
    await lines(await ask({ maxTokens: 7 }));
    expect(provider.requests[0]?.body).toHaveProperty(field, 7);
  });

  test.each<[ProviderKind, Wire, number | undefined]>([
    // its protocol requires a limit
    ["anthropic", "anthropic", 64_000],
    ["google", "google", undefined],
    ["bedrock", "bedrock", undefined],
    ["mistral", "mistral", undefined],
    ["openai", "openai", undefined],
  ])("no request to %s exceeds the output of the model", async (kind, wire, unasked) => {
    const { ask, provider } = await parlance({
      kind,
      wire,
      maxOutputTokens: 64_000,
      replies: [{ steps: [{ text: "Yes" }] }],
    });
    for (const maxTokens of [undefined, 7, 100_000]) await lines(await ask({ maxTokens }));
    const sent = provider.requests.map(({ body }) => {
      const named = /"max\w*tokens":(\d+)/i.exec(JSON.stringify(body));
      return named ? Number(named[1]) : undefined;
    });
    expect(sent).toEqual([unasked, 7, 64_000]);
  });

  test.each<[ProviderKind, Wire, string[]]>([
    [
      "openai",
      "openai",
      ["frequencyPenalty", "seed", "logitBias", "parallelToolCalls", "providerFields"],
    ],
    ["anthropic", "anthropic", ["parallelToolCalls"]],
    ["google", "google", ["frequencyPenalty", "seed"]],
    ["mistral", "mistral", ["frequencyPenalty", "seed", "parallelToolCalls"]],
    ["bedrock", "bedrock", []],
  ])(
    "what %s has no place for is refused in words, the rest is sent",
    async (kind, wire, taken) => {
      const { ask, provider } = await parlance({
        kind,
        wire,
        replies: [{ steps: [{ text: "Yes" }] }],
      });
      const options = {
        frequencyPenalty: 0.5,
        seed: 77_001,
        logitBias: { 77002: -100 },
        parallelToolCalls: false,
        providerFields: { top_k: 77_003 },
      };
      for (const [name, value] of Object.entries(options)) {
        const sent = provider.requests.length;
        const response = await ask({ tools: TOOLS, [name]: value });
        expect([name, response.status]).toEqual([name, taken.includes(name) ? 200 : 400]);
        if (response.status !== 200) {
          expect(await response.json()).toMatchObject({
            code: "option_unsupported",
            params: { name: name === "providerFields" ? "top_k" : name },
          });
          expect(provider.requests).toHaveLength(sent);
          continue;
        }
        await response.text();
        const body = JSON.stringify(provider.requests.at(-1)?.body);
        expect(body).toMatch(/0\.5|77001|77002|77003|"(?:disable_)?parallel_tool_\w+":/);
      }
    },
  );

  test("separates calls without an index or an id", async () => {
    const call = (name: string) =>
      `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ function: { name, arguments: `{"of":"${name}"}` } }] } }] })}\n\n`;
    const { ask } = await parlance({
      replies: [{ steps: [{ raw: call("first") + call("second") }] }],
    });
    const calls = (await lines(await ask())).filter(({ type }) => type === "tool_call");
    expect(calls.map((event) => [event["name"], event["arguments"]])).toEqual([
      ["first", { of: "first" }],
      ["second", { of: "second" }],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });
});

describe("the route", () => {
  test("requires the secret", async () => {
    const { ask, provider } = await parlance({ replies: [{}] });
    expect((await ask({}, { secret: "wrong" })).status).toBe(401);
    expect(provider.requests).toHaveLength(0);
  });

  test("an unknown model is a 404 that says so", async () => {
    const { ask } = await parlance({ replies: [{}] });
    const response = await ask({ model: "fake/other" });
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { code: "model_unknown", params: { name: "fake/other" } },
    ]);
  });
});

test("sends a tool under a safe name, and returns its calls under the real name", async () => {
  const name = "files.read/全部";
  const { ask, provider } = await parlance({
    replies: [
      {
        steps: [{ calls: [{ id: "call_1", name: "replaced below", arguments: {} }] }],
        finish: "tool_calls",
      },
    ],
  });
  await ask({ tools: [{ ...TOOLS[0], name }, TOOLS[0]] });
  const body = provider.requests[0]?.body as
    | { tools: { function: { name: string } }[] }
    | undefined; // as our own client wrote it
  const sent = (body?.tools ?? []).map((tool) => tool.function.name);
  expect(sent[0]).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(sent[1]).toBe("weather");
  const second = await parlance({
    replies: [
      {
        steps: [{ calls: [{ id: "call_1", name: sent[0] ?? "", arguments: { a: 1 } }] }],
        finish: "tool_calls",
      },
    ],
  });
  const toolCalls = [{ id: "call_0", type: "tool_call", name, arguments: {} }];
  const messages = [
    { role: "user", content: "x" },
    { role: "assistant", content: "", toolCalls },
    { role: "tool", toolCallId: "call_0", content: "y" },
  ];
  const events = await lines(
    await second.ask({ messages, tools: [{ ...TOOLS[0], name }] }),
  );
  expect(events.find(({ type }) => type === "tool_call")).toMatchObject({
    name,
    arguments: { a: 1 },
  });
  expect(JSON.stringify(second.provider.requests[0]?.body)).not.toContain("files.read");
});
