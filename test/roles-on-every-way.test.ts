import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { automationsOf } from "./support/automations.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";
import { settingsOf } from "./support/scripted-server.ts";

/** What a role forbids is refused on every route: conversations, /v1, agent runs, MCP, services. */
const PASSWORD = "a long enough password";
const MODEL = "openai/gpt-forbidden";
const TOOL = "forbidden";
let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
let agentId: string;
let token: string;
let key: string;

beforeAll(async () => {
  provider = await startScriptedProvider();
  const harmless = { readOnlyHint: true };
  tools = await startToolServer({
    look: {
      description: "x".repeat(600),
      annotations: { ...harmless, title: "Look around" },
      run: () => text("seen"),
    },
    [TOOL]: { annotations: harmless, run: () => text("done") },
    wipe: { annotations: { destructiveHint: true }, run: () => text("wiped") },
  });
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
    ...settingsOf(provider, "gpt-forbidden,gpt-test"),
  });
  const agent = { name: "Forbidden", type: "organization", instructions: "Help." };
  agentId = String((await ask("/api/v1/agent", { body: agent })).body["id"]);
  await ask("/api/v1/roles", { body: { name: "limited", permissions: permissions() } });
  const user = {
    email: "anne@test.example",
    name: "Anne",
    password: PASSWORD,
    roles: ["limited"],
  };
  await ask("/api/v1/users", { body: user });
  token = await parlance.signIn(user.email, PASSWORD);
  key = String(
    (await ask("/api/v1/auth/api-keys", { token, body: { name: "k" } })).body["key"],
  );
  await vi.waitFor(async () => {
    const { body } = await mcp("tools/list", {});
    expect(JSON.stringify(body)).toContain("look");
  }, 90_000);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

function permissions(): object[] {
  const forbid = (subject: string, conditions?: object) => ({
    action: "use",
    subject,
    inverted: true,
    ...(conditions && { conditions }),
  });
  return [
    { action: "manage", subject: "all" },
    { action: "approve", subject: "tool", inverted: true },
    forbid("model", { model: MODEL }),
    forbid("tool", { tool: TOOL }),
    forbid("agent", { agentId }),
  ];
}

async function ask(path: string, options: Parameters<TestServer["request"]>[1] = {}) {
  const answer = await parlance.request(path, options);
  const read = await answer.text();
  return {
    status: answer.status,
    body: (read ? JSON.parse(read) : {}) as Record<string, unknown>,
  };
}

/** Requests as Anne, with her token and with her key. */
const WAYS = [
  ["a token", () => ({ token })],
  ["an API key", () => ({ token: null, headers: { "x-api-key": key } })],
] as const;
const byKey = WAYS[1][1];
const REFUSED = { status: 403, body: { code: "permission_missing" } };
const OPENAI_REFUSED = { status: 403, body: { error: { code: "permission_missing" } } };
const hello = [{ role: "user", content: "hello" }];

async function mcp(method: string, params: object) {
  const answer = await parlance.request("/mcp", {
    token: null,
    headers: { "x-api-key": key, accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
  const text = await answer.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: answer.status, body: JSON.parse(data) as object };
}

test("users list the tools page by page, with which of them their roles permit", async () => {
  const path = "/api/v1/tools?limit=2";
  for (const [, way] of WAYS) {
    const { status, body } = await ask(path, way());
    expect([status, body]).toEqual([
      200,
      {
        items: [
          {
            name: "look",
            title: "Look around",
            server: "town",
            description: "x".repeat(500),
            effect: "read_only",
            destructive: false,
            permitted: true,
          },
          {
            name: TOOL,
            server: "town",
            description: expect.any(String),
            effect: "read_only",
            destructive: false,
            permitted: false,
          },
        ],
        page: 1,
        limit: 2,
        total: 3,
      },
    ]);
  }
  const last = await ask(`${path}&page=2`, { token });
  expect(last.body["items"]).toMatchObject([
    { name: "wipe", destructive: true, permitted: true },
  ]);
  const found = await ask("/api/v1/tools?query=Look%20AROUND", { token });
  expect(found.body["items"]).toMatchObject([{ name: "look" }]);
  expect((await ask("/api/v1/tools", { token: null })).status).toBe(401);
});

test.each(WAYS)("with %s the list of models names the permitted ones", async (_, as) => {
  const mine = await ask("/api/v1/agent", {
    ...as(),
    body: { name: "Listed", type: "simple" },
  });
  const listed = await ask("/v1/models", as());
  const ids = (listed.body["data"] as { id: string }[]).map(({ id }) => id);
  expect(ids).toContain("openai/gpt-test");
  expect(ids).toContain(`agent:${String(mine.body["id"])}`);
  expect(ids).not.toContain(MODEL);
  expect(ids).not.toContain(`agent:${agentId}`);
  const one = (id: string) => ask(`/v1/models/${encodeURIComponent(id)}`, as());
  expect((await one("openai/gpt-test")).status).toBe(200);
  expect((await one(MODEL)).status).toBe(404);
});

test.each(WAYS)("with %s a forbidden model answers on no route", async (_, as) => {
  const say = (path: string, body: object) => ask(path, { ...as(), body });
  const message = { content: "hello", stream: false };
  expect(await say("/api/v1/conversation", { ...message, model: MODEL })).toMatchObject(
    REFUSED,
  );
  expect(
    await say("/v1/chat/completions", { model: MODEL, messages: hello }),
  ).toMatchObject(OPENAI_REFUSED);
  const own = { name: "Mine", type: "simple", model: MODEL };
  const mine = String((await say("/api/v1/agent", own)).body["id"]);
  expect(await say("/api/v1/conversation", { ...message, agentId: mine })).toMatchObject(
    REFUSED,
  );
  expect(
    await say("/v1/chat/completions", { model: `agent:${mine}`, messages: hello }),
  ).toMatchObject(OPENAI_REFUSED);
  const conversion = { type: "grammar", text: "helo", model: MODEL, stream: false };
  expect(await say("/api/v1/conversion", conversion)).toMatchObject(REFUSED);
  const run = { model: MODEL, messages: hello, stream: false };
  expect(await say("/api/v1/agent/run", run)).toMatchObject(REFUSED);
  const sent = await say("/api/v1/conversation", message);
  expect(sent.status).toBe(200);
  const again = { messageId: sent.body["userMessageId"], model: MODEL, stream: false };
  const path = `/api/v1/conversation/${String(sent.body["conversationId"])}/regenerate`;
  expect(await say(path, again)).toMatchObject(REFUSED);
  expect(provider.requests.map(({ model }) => model)).not.toContain("gpt-forbidden");
});

test.each(WAYS)("with %s a forbidden agent answers on no route", async (_, as) => {
  const say = (path: string, body: object) => ask(path, { ...as(), body });
  const message = { content: "hello", stream: false, agentId };
  expect(await say("/api/v1/conversation", message)).toMatchObject(REFUSED);
  const completion = { model: `agent:${agentId}`, messages: hello };
  expect(await say("/v1/chat/completions", completion)).toMatchObject(OPENAI_REFUSED);
});

test("a forbidden tool runs on no route, and is not offered to a model", async () => {
  const message = { content: "hello", stream: false };
  const before = provider.requests.length;
  for (const [, as] of WAYS) {
    const say = (path: string, body: object) => ask(path, { ...as(), body });
    expect(await say("/api/v1/conversation", { ...message, tools: [TOOL] })).toMatchObject(
      REFUSED,
    );
    const run = {
      model: "openai/gpt-test",
      messages: hello,
      tools: [TOOL],
      approval: "always",
    };
    expect(await say("/api/v1/agent/run", run)).toMatchObject(REFUSED);
  }
  const own = { name: "Mine", type: "simple", tools: [TOOL, "look"] };
  const mine = (await ask("/api/v1/agent", { token, body: own })).body["id"];
  const sent = { ...message, agentId: mine };
  expect((await ask("/api/v1/conversation", { token, body: sent })).status).toBe(200);
  const completion = { model: `agent:${String(mine)}`, messages: hello };
  expect((await ask("/v1/chat/completions", { token, body: completion })).status).toBe(200);
  const offered = provider.requests.slice(before).flatMap((request) => request.tools ?? []);
  expect(offered.map((tool) => tool.function.name)).toContain("look");
  expect(offered.map((tool) => tool.function.name)).not.toContain(TOOL);
  expect(JSON.stringify((await mcp("tools/list", {})).body)).not.toContain(TOOL);
  const called = await mcp("tools/call", { name: TOOL, arguments: {} });
  expect(JSON.stringify(called.body)).toContain("tool:use");
  expect(tools.calls).not.toContain(TOOL);
});

test("a user who may not approve tools cannot run them without approval", async () => {
  const say = (path: string, body: object) => ask(path, { ...byKey(), body });
  const message = { content: "hello", stream: false, tools: ["wipe"] };
  expect(
    await say("/api/v1/conversation", { ...message, approval: "never" }),
  ).toMatchObject({
    status: 403,
    body: { code: "approval_required" },
  });
  const run = { model: "openai/gpt-test", messages: hello, tools: ["wipe"] };
  expect(await say("/api/v1/agent/run", { ...run, approval: "never" })).toMatchObject(
    REFUSED,
  );
  const decisions = [{ toolCallId: "c", decision: "approve" }];
  const decided = { ...run, approval: "destructive", decisions };
  expect(await say("/api/v1/agent/run", decided)).toMatchObject(REFUSED);
  expect((await mcp("tools/call", { name: "wipe", arguments: {} })).body).toMatchObject({
    error: { message: expect.stringContaining("tool:approve") },
  });
  expect(
    JSON.stringify((await mcp("tools/call", { name: "look", arguments: {} })).body),
  ).toContain("seen");
  provider.answer((_, { messages }) =>
    messages.some(({ role }) => role === "tool")
      ? { text: ["done"] }
      : { toolCalls: [{ id: "call-1", name: "wipe", arguments: {} }] },
  );
  const sent = await say("/api/v1/conversation", message);
  expect(sent.body["finishReason"]).toBe("approval");
  const path = `/api/v1/conversation/${String(sent.body["conversationId"])}/approve`;
  const decision = { toolCallId: "call-1", decision: "approve" };
  expect(await say(path, decision)).toMatchObject(REFUSED);
  expect(tools.calls).not.toContain("wipe");
  provider.answer(() => ({ text: ["Hello"] }));
});

test("a run in a user's name has the user's current roles", async () => {
  const user = {
    email: "carl@test.example",
    name: "Carl",
    password: PASSWORD,
    roles: ["user"],
  };
  const { id } = (await ask("/api/v1/users", { body: user })).body;
  const before = automationsOf(parlance, await parlance.signIn(user.email, PASSWORD));
  await before.rule({ type: "text/*", agents: [agentId] });
  await ask(`/api/v1/users/${String(id)}`, {
    method: "PATCH",
    body: { roles: ["limited"] },
  });
  const carl = automationsOf(parlance, await parlance.signIn(user.email, PASSWORD));
  const sent = await carl.send("Some text.", "note.txt");
  const run = await carl.ended(sent.body.runId);
  expect(run.status).toBe("failed");
  expect(JSON.stringify(run)).toContain("agent:use");
});
