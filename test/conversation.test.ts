import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";
import { held } from "./support/held.ts";

let provider: ScriptedProvider;
let tools: ToolServer;
let parlance: TestServer;
const isTitle = (body: ScriptedProvider["requests"][number]) =>
  String(body.messages[0]?.content).startsWith("Write a title");
/** Answers titles by itself, and everything else turn by turn. */
const script = (...turns: ReturnType<Parameters<ScriptedProvider["answer"]>[0]>[]) => {
  let turn = 0;
  provider.answer((_, body) =>
    isTitle(body)
      ? { text: ["A good title"] }
      : (turns[Math.min(turn++, turns.length - 1)] ?? {}),
  );
};
const turnsAsked = () => provider.requests.filter((body) => !isTitle(body));

beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    weather: {
      description: "Weather of a city",
      inputSchema: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
      run: ({ city }) => text(`Sunny in ${String(city)}`),
    },
    broken: { run: () => text("out of order", true) },
    wipe: {
      annotations: { destructiveHint: true, readOnlyHint: false },
      run: () => text("wiped"),
    },
    // appears only after the weather was requested
    patient: {
      run: async () => (
        await vi.waitFor(() => expect(tools.calls).toContain("weather"), 30_000),
        text("at last")
      ),
    },
    slow: { run: async () => (await sleep(30_000), text("late")) },
  });
  parlance = await startTestServer({
    OPENAI_API_KEY: "planted-secret-openai-key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
    MCP_SERVERS: JSON.stringify([
      {
        name: "town",
        url: tools.url,
        headers: { "x-town-key": "planted-secret-town-key" },
      },
    ]),
    MCP_TOOL_TIMEOUT: "2000",
    COMPLETION_PROVIDER_TIMEOUT: "2000",
  });
  await vi.waitFor(async () => {
    const state = (await (await parlance.request("/mcp/v1/servers")).json()) as {
      items: { state: string }[];
    };
    expect(state.items[0]?.state).toBe("ready");
  }, 90_000);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.requests.length = 0;
  tools.calls.length = 0;
});

const send = (body: object, headers?: Record<string, string>) =>
  parlance.request("/api/v1/conversation", { body, ...(headers && { headers }) });

test("a conversation with a tool streams conversation, tool_call, tool_result, text, title, done, and is stored with its usage", async () => {
  script(
    { toolCalls: [{ name: "weather", arguments: { city: "Köln" } }] },
    { text: ["It is ", "sunny."] },
  );
  const events = await eventsOf(
    await send({ content: "How is the weather?", tools: ["weather"] }),
  );
  const kinds = events
    .map(({ event }) => event)
    .filter((kind, index, all) => kind !== all[index - 1]);
  expect(kinds.filter((kind) => kind !== "title")).toEqual([
    "conversation",
    "tool_call",
    "tool_result",
    "text_delta",
    "done",
  ]);
  expect(events.find(({ event }) => event === "title")?.data).toEqual({
    title: "A good title",
  });
  expect(events.find(({ event }) => event === "tool_result")?.data).toMatchObject({
    name: "weather",
    content: "Sunny in Köln",
    isError: false,
  });
  expect(events.at(-1)?.data).toMatchObject({
    content: "It is sunny.",
    finishReason: "stop",
    iterations: 2,
    usage: { inputTokens: 22 },
  });
  const id = String(events[0]?.data["conversationId"]);
  const stored = (await (await parlance.request(`/api/v1/conversation/${id}`)).json()) as {
    title: string;
    messages: { role: string; content: string; toolCalls: unknown[] }[];
  };
  expect(stored.title).toBe("A good title");
  expect(stored.messages.map(({ role, content }) => [role, content])).toEqual([
    ["user", "How is the weather?"],
    ["assistant", "It is sunny."],
  ]);
  expect(stored.messages[1]?.toolCalls).toHaveLength(1);
  await vi.waitFor(async () => {
    const usage = (await (
      await parlance.request("/api/v1/usage?groupBy=model")
    ).json()) as {
      items: { group: string; requests: number }[];
    };
    expect(
      usage.items.find(({ group }) => group === "openai/gpt-test")?.requests,
    ).toBeGreaterThanOrEqual(3);
  }, 90_000);
});

test("the next message has the whole branch, and another parent starts another branch", async () => {
  script({ text: ["one"] }, { text: ["two"] }, { text: ["other"] });
  const first = (await (await send({ content: "a", stream: false })).json()) as {
    conversationId: string;
    messageId: string;
    userMessageId: string;
    content: string;
  };
  expect(first.content).toBe("one");
  await send({ content: "b", conversationId: first.conversationId, stream: false });
  expect(turnsAsked()[1]?.messages.map(({ content }) => content)).toEqual([
    "a",
    "one",
    "b",
  ]);
  await send({
    content: "c",
    conversationId: first.conversationId,
    parentMessageId: first.messageId,
    stream: false,
  });
  expect(turnsAsked()[2]?.messages.map(({ content }) => content)).toEqual([
    "a",
    "one",
    "c",
  ]);
});

test("a run has at most fifteen turns: the last one offers no tools and ends with an answer", async () => {
  provider.answer((_, body) =>
    isTitle(body)
      ? { text: ["t"] }
      : body.tools
        ? { toolCalls: [{ name: "weather", arguments: { city: "X" } }] }
        : { text: ["enough"] },
  );
  const reply = (await (
    await send({ content: "loop", tools: ["weather"], stream: false })
  ).json()) as {
    finishReason: string;
    content: string;
  };
  expect(reply).toMatchObject({ finishReason: "max_iterations", content: "enough" });
  expect(turnsAsked()).toHaveLength(15);
  expect(turnsAsked().at(-1)?.tools).toBeUndefined();
  expect(tools.calls).toHaveLength(14);
});

test("a tool that is not permitted is never called; one that fails, hangs or gets wrong arguments is reported to the model", async () => {
  script(
    {
      toolCalls: [
        { name: "wipe", arguments: {} },
        { name: "broken", arguments: {} },
        { name: "weather", arguments: { city: 7 } },
        { name: "slow", arguments: {} },
      ],
    },
    { text: ["sorry"] },
  );
  const reply = (await (
    await send({ content: "go", tools: ["broken", "weather", "slow"], stream: false })
  ).json()) as {
    content: string;
    toolCalls: { name: string; content: string; isError: boolean }[];
  };
  expect(reply.content).toBe("sorry");
  const results = Object.fromEntries(
    reply.toolCalls.map(({ name, content, isError }) => [
      name,
      [isError, content.split(":")[0]],
    ]),
  );
  expect(results).toEqual({
    wipe: [true, "tool_not_permitted"],
    broken: [true, "out of order"],
    weather: [true, "tool_arguments_invalid"],
    slow: [true, "tool_timeout"],
  });
  expect(tools.calls.sort()).toEqual(["broken", "slow"]);
  // for the model, results are in the order of the calls
  expect(
    turnsAsked()[1]
      ?.messages.slice(-4)
      .map((message) => (message as { tool_call_id?: string }).tool_call_id),
  ).toEqual(["call_0", "call_1", "call_2", "call_3"]);
});

test("results are stored and sent in the order of their calls, whatever order they arrive in", async () => {
  const calls = ["patient", "weather"].map((name) => ({
    name,
    arguments: { city: "Köln" },
  }));
  script({ toolCalls: calls }, { text: ["done"] });
  const asked = { tools: ["patient", "weather"], stream: false };
  const reply = (await (await send({ content: "both", ...asked })).json()) as {
    conversationId: string;
    toolCalls: { name: string }[];
  };
  const { messages } = (await (
    await parlance.request(`/api/v1/conversation/${reply.conversationId}`)
  ).json()) as {
    messages: (typeof reply)[];
  };
  for (const { toolCalls } of [reply, messages.at(-1) ?? reply])
    expect(toolCalls.map(({ name }) => name)).toEqual(["patient", "weather"]);
  await send({ content: "and then?", conversationId: reply.conversationId, stream: false });
  const told = turnsAsked().at(-1)?.messages as { role: string; tool_call_id?: string }[];
  expect(
    told.flatMap(({ role, tool_call_id: id }) => (role === "tool" ? [id] : [])),
  ).toEqual(["call_0", "call_1"]);

  tools.calls.length = 0;
  script({ toolCalls: calls }, { text: ["done"] });
  const run = await parlance.request("/api/v1/agent/run", {
    body: {
      model: "openai/gpt-test",
      messages: [{ role: "user", content: "both" }],
      ...asked,
    },
  });
  const { toolCalls } = (await run.json()) as typeof reply;
  expect(toolCalls.map(({ name }) => name)).toEqual(["patient", "weather"]);
});

test("a destructive call waits for the user, and continues after approval", async () => {
  script({ toolCalls: [{ name: "wipe", arguments: {} }] }, { text: ["done it"] });
  const events = await eventsOf(await send({ content: "wipe it", tools: ["wipe"] }));
  expect(events.map(({ event }) => event)).toContain("approval");
  expect(events.at(-1)?.data["finishReason"]).toBe("approval");
  expect(tools.calls).toEqual([]);
  const id = String(events[0]?.data["conversationId"]);
  const toolCallId = String(
    events.find(({ event }) => event === "approval")?.data["toolCallId"],
  );
  expect(
    (
      await parlance.request(`/api/v1/conversation/${id}/approve`, {
        body: { toolCallId, decision: "approve" },
      })
    ).status,
  ).toBe(200);
  const rest = await eventsOf(await parlance.request(`/api/v1/conversation/${id}/stream`));
  expect(rest.at(-1)).toMatchObject({ event: "done", data: { content: "done it" } });
  expect(tools.calls).toEqual(["wipe"]);
});

const faults = [
  {
    what: "stalls",
    turn: { text: ["a"], fault: "stall", faultAfter: 1 },
    code: "provider_timeout",
  },
  { what: "sends garbage", turn: { fault: "garbage" }, code: "provider_invalid" },
  {
    what: "cuts the stream",
    turn: { text: ["par", "tial"], fault: "cut", faultAfter: 2, delayMs: 30 },
    code: "provider_cut",
    kept: "partial",
  },
  {
    what: "sends a line without end",
    turn: { fault: "long-line" },
    code: "provider_invalid",
  },
  { what: "answers 401", turn: { status: 401 }, code: "provider_refused_key" },
  {
    what: "answers 429 with a long wait",
    turn: { status: 429, headers: { "retry-after": "60" } },
    code: "provider_rate_limited",
  },
] as const;
test.each(faults)(
  "a provider that $what ends in one clear error, and what was said stays",
  async ({ turn, code, ...rest }) => {
    script({ ...turn, text: "text" in turn ? [...turn.text] : [] });
    const events = await eventsOf(await send({ content: "hi" }));
    expect(events.at(-1)).toMatchObject({ event: "error", data: { code } });
    expect(JSON.stringify(events)).not.toContain("planted");
    const stored = (await (
      await parlance.request(
        `/api/v1/conversation/${String(events[0]?.data["conversationId"])}`,
      )
    ).json()) as {
      messages: { status: string; content: string }[];
    };
    expect(stored.messages[1]).toMatchObject({
      status: "failed",
      ...("kept" in rest && { content: rest.kept }),
    });
  },
);

test("a failure before the first token is retried, one after it is not", async () => {
  script(
    { status: 500 },
    { status: 429, headers: { "retry-after": "0" } },
    { text: ["third time"] },
  );
  expect(await (await send({ content: "x", stream: false })).json()).toMatchObject({
    content: "third time",
  });
  expect(turnsAsked()).toHaveLength(3);
  held("provider-faults", 2);
});

test("a reader who disconnects can resume without gaps or repetition", async () => {
  script({ text: Array.from({ length: 40 }, (_, n) => `${n} `), delayMs: 20 });
  const leave = new AbortController();
  const response = await parlance.request("/api/v1/conversation", {
    body: { content: "count" },
    signal: leave.signal,
  });
  let seen = "";
  for await (const chunk of response.body ?? []) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes('"10 "')) break;
  }
  leave.abort();
  const complete = seen.slice(0, seen.lastIndexOf("\n\n"));
  const lastId = [...complete.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? "";
  const id = /conversationId":"([^"]+)/.exec(seen)?.[1];
  const rest = await (
    await parlance.request(`/api/v1/conversation/${id}/stream`, {
      headers: { "last-event-id": lastId },
    })
  ).text();
  const said = [...`${complete}\n\n${rest}`.matchAll(/"delta":"([^"]*)"/g)]
    .map((match) => match[1])
    .join("");
  expect(said).toBe(Array.from({ length: 40 }, (_, n) => `${n} `).join(""));
});

test("a reader who disconnects after any event gets the rest, also after a decision", async () => {
  script(
    { reasoning: ["Hm"], toolCalls: [{ name: "wipe", arguments: {} }] },
    { text: ["done ", "it"], delayMs: 100 },
  );
  const first = await (await send({ content: "wipe it", tools: ["wipe"] })).text();
  const id = /conversationId":"([^"]+)/.exec(first)?.[1];
  /** Events in wire format with their ids, without keep-alive comments. */
  const events = (text: string) =>
    text.split("\n\n").filter((event) => event.includes("event: "));
  const after = async (event: string) => {
    const lastId = /^id: (.*)$/m.exec(event)?.[1] ?? "";
    return events(
      await (
        await parlance.request(`/api/v1/conversation/${id}/stream`, {
          headers: { "last-event-id": lastId },
        })
      ).text(),
    );
  };
  const waited = events(first);
  for (const [index, event] of waited.entries())
    expect(await after(event)).toEqual(waited.slice(index + 1));
  const toolCallId = /"toolCallId":"([^"]+)/.exec(first)?.[1];
  await parlance.request(`/api/v1/conversation/${id}/approve`, {
    body: { toolCallId, decision: "approve" },
  });
  const all = events(
    await (await parlance.request(`/api/v1/conversation/${id}/stream`)).text(),
  );
  expect(all.join()).toContain("done");
  for (const event of waited) expect(await after(event)).toEqual(all);
  for (const [index, event] of all.entries())
    expect(await after(event)).toEqual(all.slice(index + 1));
});

test("five hundred readers who disconnect at different events have no gap and no repetition", async () => {
  const pieces = Array.from({ length: 250 }, (_, n) => `${n} `);
  script({ text: pieces, delayMs: 2 });
  const events = (text: string) =>
    text.split("\n\n").filter((event) => event.includes("event: "));
  const idOf = (event = "") => /^id: (.*)$/m.exec(event)?.[1] ?? "";
  const response = await parlance.request("/api/v1/conversation", {
    body: { content: "count" },
  });
  const all = events(await response.text());
  const id = /conversationId":"([^"]+)/.exec(all[0] ?? "")?.[1];
  expect(all.length).toBeGreaterThan(50);
  const drops = Array.from({ length: 500 }, (_, n) => n % all.length);
  for (let from = 0; from < drops.length; from += 25)
    await Promise.all(
      drops.slice(from, from + 25).map(async (index) => {
        const headers = { "last-event-id": idOf(all[index]) };
        const rest = await (
          await parlance.request(`/api/v1/conversation/${id}/stream`, { headers })
        ).text();
        expect(events(rest)).toEqual(all.slice(index + 1));
      }),
    );
  held("re-attaching", drops.length);
});

test("naming a message to answer requires naming its conversation", async () => {
  const response = await send({
    content: "x",
    parentMessageId: "01900000-0000-7000-8000-000000000000",
    stream: false,
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ code: "validation_failed" }),
  ]);
});

test("stop ends the provider's request and keeps the text so far", async () => {
  script({ text: Array.from({ length: 10_000 }, () => "word "), delayMs: 20 });
  const before = provider.aborted;
  const response = await send({ content: "talk" });
  const reader = response.body?.getReader();
  let read = "";
  while (!read.includes("word"))
    read += Buffer.from((await reader?.read())?.value ?? []).toString();
  const id = /conversationId":"([^"]+)/.exec(read)?.[1];
  await parlance.request(`/api/v1/conversation/${id}/stop`, { method: "POST" });
  await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 90_000);
  await vi.waitFor(async () => {
    const { messages } = (await (
      await parlance.request(`/api/v1/conversation/${id}`)
    ).json()) as {
      messages: { status: string; content: string }[];
    };
    expect(messages[1]?.status).toBe("stopped");
    expect(messages[1]?.content).toContain("word");
  }, 90_000);
  await reader?.cancel();
});

test("a client of /agent/run that leaves cancels the provider's request", async () => {
  script({ text: Array.from({ length: 10_000 }, () => "word "), delayMs: 20 });
  const before = provider.aborted;
  const leave = new AbortController();
  const run = await parlance.request("/api/v1/agent/run", {
    body: { model: "openai/gpt-test", messages: [{ role: "user", content: "x" }] },
    signal: leave.signal,
  });
  await run.body?.getReader().read();
  leave.abort();
  await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 90_000);
});

test("the same Idempotency-Key gives one conversation, twenty times at once, and refuses another body", async () => {
  script({ text: ["once"] });
  const key = { "idempotency-key": `k-${Math.random()}` };
  const replies = await Promise.all(
    Array.from(
      { length: 20 },
      async () =>
        (await (await send({ content: "same", stream: false }, key)).json()) as {
          messageId: string;
          content: string;
        },
    ),
  );
  expect(
    new Set(replies.map(({ messageId, content }) => `${messageId} ${content}`)).size,
  ).toBe(1);
  expect((await send({ content: "other" }, key)).status).toBe(409);
  held("double-submits", replies.length);
});

test("another user's conversation does not exist, on every route", async () => {
  script({ text: ["mine"] });
  const { conversationId } = (await (
    await send({ content: "private", stream: false })
  ).json()) as {
    conversationId: string;
  };
  const email = `eve-${Math.random()}@test.example`;
  await parlance.request("/api/v1/users", {
    body: { email, name: "Eve", password: "a long enough password" },
  });
  const token = await parlance.signIn(email, "a long enough password");
  const path = `/api/v1/conversation/${conversationId}`;
  const tries: [string, string, object?][] = [
    ["GET", path],
    ["PATCH", path, { title: "x" }],
    ["DELETE", path],
    ["GET", `${path}/stream`],
    ["POST", `${path}/stop`],
    ["POST", `${path}/approve`, { toolCallId: "x", decision: "deny" }],
    ["POST", "/api/v1/conversation", { content: "x", conversationId }],
  ];
  for (const [method, url, body] of tries) {
    const response = await parlance.request(url, { method, token, ...(body && { body }) });
    expect([method, url, response.status]).toEqual([method, url, 404]);
  }
  expect(
    await (
      await parlance.request(`/api/v1/conversation/multiple?ids=${conversationId}`, {
        token,
      })
    ).json(),
  ).toEqual([]);
  expect((await parlance.request(path)).status).toBe(200);
});

test("a deleted conversation is gone, and its usage stays on record", async () => {
  script({ text: ["bye"] });
  const { conversationId } = (await (
    await send({ content: "x", stream: false })
  ).json()) as {
    conversationId: string;
  };
  expect(
    (await parlance.request(`/api/v1/conversation/${conversationId}`, { method: "DELETE" }))
      .status,
  ).toBe(204);
  expect((await parlance.request(`/api/v1/conversation/${conversationId}`)).status).toBe(
    404,
  );
});

test("no answer contains secrets: not the catalogue, the list of servers, the documents or the errors", async () => {
  const paths = [
    "/api/v1/services-config/models-providers",
    "/api/v1/services-config/mcp-servers",
    "/services-config/mcp-servers",
    "/api/v1/mcp-servers",
    "/mcp/v1/servers",
    "/openapi.json",
    "/docs",
    "/metrics",
    "/api/v1/health",
  ];
  for (const path of paths) {
    const response = await parlance.request(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect([path, await response.text()]).not.toEqual([
      path,
      expect.stringContaining("planted-secret"),
    ]);
  }
  expect(tools.headers.some((headers) => headers["authorization"] !== undefined)).toBe(
    false,
  );
  expect(
    tools.headers.every((headers) => headers["x-town-key"] === "planted-secret-town-key"),
  ).toBe(true);
});
