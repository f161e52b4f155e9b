import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startStatelessEverything } from "./support/everything-stateless.ts";
import { askStateless, META_PREFIX } from "./support/stateless-mcp.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import type { StatelessServer } from "./support/stateless-server.ts";

/** The gateway between clients of both eras and a tool server of MCP 2026-07-28. */

const ASKING = "test_input_required_result_request_state";
const ANSWERS = { confirm: { action: "accept", content: { ok: true } } };
let tools: StatelessServer;
let parlance: TestServer;
let keys: { ada: string; bob: string };

beforeAll(async () => {
  tools = await startStatelessEverything();
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([{ name: "one", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  await vi.waitFor(async () => {
    const listed = await parlance.request("/api/v1/tools?query=test_logging_tool");
    expect(await listed.json()).toMatchObject({ total: 1 });
  }, 90_000);
  const bob = {
    name: "Bob",
    email: "bob@test.example",
    password: "a long enough password",
  };
  const everything = [{ action: "manage", subject: "all" }];
  await parlance.request("/api/v1/roles", {
    body: { name: "everybody", permissions: everything },
  });
  await parlance.request("/api/v1/users", { body: { ...bob, roles: ["everybody"] } });
  keys = {
    ada: await keyOf(parlance.token),
    bob: await keyOf(await parlance.signIn(bob.email, bob.password)),
  };
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

async function keyOf(token: string): Promise<string> {
  const body = { name: "client", scopes: ["tool:*"] };
  const created = await parlance.request("/api/v1/auth/api-keys", { body, token });
  return ((await created.json()) as { key: string }).key;
}

interface Asked {
  params?: Record<string, unknown>;
  capabilities?: object;
  logLevel?: string;
  key?: string;
}

/** A request of 2026-07-28. */
function send(
  method: string,
  { params = {}, capabilities = {}, logLevel, key = keys.ada }: Asked = {},
  signal?: AbortSignal,
): Promise<Response> {
  const meta = { ...(logLevel && { [`${META_PREFIX}logLevel`]: logLevel }) };
  const asked = { key, params, capabilities, meta, id: "r1", signal };
  return askStateless(`${parlance.url}/mcp`, method, asked);
}

const call = (name: string, asked: Asked = {}) =>
  send("tools/call", { ...asked, params: { name, arguments: {}, ...asked.params } });

/** The messages of an answer, which is one message or a stream of them. */
async function messagesOf(response: Response): Promise<Record<string, unknown>[]> {
  const body = await response.text();
  const isStream = response.headers.get("content-type")?.includes("event-stream");
  if (!isStream) return [JSON.parse(body) as Record<string, unknown>]; // of JSON-RPC
  return [...body.matchAll(/^data: (.+)$/gm)].map(
    ([, data = ""]) => JSON.parse(data) as Record<string, unknown>, // of JSON-RPC
  );
}

async function askedState(): Promise<unknown> {
  const [message] = await messagesOf(
    await call(ASKING, { capabilities: { elicitation: {} } }),
  );
  const { result } = message as { result: Record<string, unknown> }; // of JSON-RPC
  expect(result).toMatchObject({
    resultType: "input_required",
    inputRequests: { confirm: { method: "elicitation/create" } },
  });
  return result["requestState"];
}

const answer = (requestState: unknown, key = keys.ada, name = ASKING) =>
  call(name, {
    key,
    capabilities: { elicitation: {} },
    params: { inputResponses: ANSWERS, requestState },
  });

test("what a server asks comes back with its state, of the same user and for the same tool alone", async () => {
  const state = await askedState();
  expect(await messagesOf(await answer(state))).toMatchObject([
    { result: { content: [{ text: '"state-ok"' }] } },
  ]);
  const tampered = "test_input_required_result_tampered_state";
  for (const refused of [
    await answer(state, keys.bob),
    await answer(state, keys.ada, tampered),
    await answer(`${String(state)}x`),
  ])
    expect(await messagesOf(refused)).toMatchObject([{ error: { code: -32_602 } }]);
});

test("a client of 2025 is asked in the middle of its call", async () => {
  const client = new Client(
    { name: "older", version: "1" },
    { capabilities: { elicitation: {} } },
  );
  const questions: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message);
    return { action: "accept", content: { name: "Ada", color: "red" } };
  });
  const url = new URL(`${parlance.url}/mcp`);
  const headers = { "x-api-key": keys.ada };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  // its optional fields are declared wider than the interface's
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const name = "test_input_required_result_multi_round";
  const result = await client.callTool({ name, arguments: {} });
  expect(result.content).toMatchObject([{ text: '"done"' }]);
  expect(result).not.toHaveProperty("resultType");
  expect(questions).toEqual(["Step 1: What is your name?", "Step 2: What is your color?"]);
  await client.close();
});

test("a client of 2025 that cannot be asked gets the reason as the tool's result", async () => {
  const message = { method: "tools/call", params: { name: ASKING, arguments: {} } };
  const response = await fetch(`${parlance.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-api-key": keys.ada,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
  expect(await messagesOf(response)).toMatchObject([{ result: { isError: true } }]);
});

test("log lines reach a client that names a level, and no other", async () => {
  const methods = async (response: Response) =>
    (await messagesOf(response)).map(({ method }) => method ?? "result");
  expect(await methods(await call("test_logging_tool"))).toEqual(["result"]);
  expect(await methods(await call("test_logging_tool", { logLevel: "debug" }))).toEqual([
    "notifications/message",
    "result",
  ]);
  expect(await methods(await call("test_logging_tool", { logLevel: "error" }))).toEqual([
    "result",
  ]);
});

test("a capability that a client does not have is named with status 400", async () => {
  const refused = await call("test_missing_capability");
  expect(refused.status).toBe(400);
  expect(await messagesOf(refused)).toMatchObject([
    { error: { code: -32_021, data: { requiredCapabilities: { sampling: {} } } } },
  ]);
  const can = await call("test_missing_capability", { capabilities: { sampling: {} } });
  expect(await messagesOf(can)).toMatchObject([
    { result: { content: [{ text: '"sampled"' }] } },
  ]);
});

/** A stream of notifications, read until the client leaves. */
async function listen(notifications: object) {
  const leaving = new AbortController();
  const response = await send(
    "subscriptions/listen",
    { params: { notifications } },
    leaving.signal,
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const reading = (async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      text += value ?? "";
    }
  })().catch(() => {}); // the client has left
  return {
    heard: () =>
      [...text.matchAll(/^data: (.+)$/gm)].map(
        ([, data = ""]) =>
          JSON.parse(data) as {
            method: string;
            params: { _meta: Record<string, unknown> };
          }, // a notification
      ),
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await reading;
    },
  };
}

test("a client that listens is confirmed first, and hears what it asked for and nothing else", async () => {
  await using listening = await listen({ toolsListChanged: true });
  await using other = await listen({ promptsListChanged: true });
  const first = (one: typeof listening) => one.heard()[0]?.method;
  const confirmed = "notifications/subscriptions/acknowledged";
  await expect.poll(() => [first(listening), first(other)]).toEqual([confirmed, confirmed]);
  await call("test_trigger_tool_change");
  await expect
    .poll(() => listening.heard().map(({ method }) => method))
    .toContain("notifications/tools/list_changed");
  for (const { params } of listening.heard())
    expect(params._meta[`${META_PREFIX}subscriptionId`]).toBe("r1");
  const heard = other.heard().map(({ method }) => method);
  expect(heard).not.toContain("notifications/tools/list_changed");
});
