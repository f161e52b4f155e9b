import { request as send } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";
import { held } from "./support/held.ts";

/**
 * Tests the gateway as an MCP server against the specification of the streamable HTTP transport.
 */
const SECRET = "the-secret-of-the-tool-gateway";
const CLIENTS = 200;
const CROSS_TALK_CALLS = Number(process.env["CROSS_TALK_CALLS"] ?? 1_200);
let tools: ToolServer;
let parlance: TestServer;
let key: string;

beforeAll(async () => {
  tools = await startToolServer(
    {
      echo: {
        inputSchema: {
          type: "object",
          properties: { words: { type: "string" } },
          required: ["words"],
        },
        run: ({ words }) => text(String(words)),
      },
      wait: { run: () => new Promise(() => {}) },
      sometime: {
        run: async ({ words, ms }) => (await sleep(Number(ms)), text(String(words))),
      },
    },
    { unknownSession: 404 },
  );
  parlance = await startTestServer({
    MCP_SERVICE_SECRET: SECRET,
    MCP_SERVERS: JSON.stringify([{ name: "one", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  const created = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "client", scopes: ["tool:*"] },
  });
  ({ key } = (await created.json()) as { key: string });
  await vi.waitFor(
    async () => expect(await (await rpc("tools/list")).text()).toContain("echo"),
    90_000,
  );
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

function post(
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${parlance.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-api-key": key,
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}
const rpc = (method: string, params: object = {}, headers = {}) =>
  post({ jsonrpc: "2.0", id: 1, method, params }, headers);
/** The answer of a request, alone or as the one event of a stream. */
async function answerOf(response: Response): Promise<Record<string, unknown>> {
  const body = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const line = body.split("\n").find((one) => one.startsWith("data: "));
  const answer = isStream ? (line?.slice(6) ?? "{}") : body;
  return JSON.parse(answer) as Record<string, unknown>;
}

test.each([
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-03-26"],
  ["2024-11-05", "2024-11-05"],
  ["1999-01-01", "2025-11-25"],
])("a client that speaks %s is answered in %s", async (asked, answered) => {
  const clientInfo = { name: "test", version: "1" };
  const answer = await answerOf(
    await rpc("initialize", { protocolVersion: asked, capabilities: {}, clientInfo }),
  );
  expect(answer).toMatchObject({
    jsonrpc: "2.0",
    id: 1,
    result: {
      protocolVersion: answered,
      serverInfo: { name: "parlance" },
      capabilities: { tools: {} },
    },
  });
});

test("a request in an unsupported version is refused", async () => {
  expect(
    (await rpc("tools/list", {}, { "mcp-protocol-version": "1999-01-01" })).status,
  ).toBe(400);
  expect(
    (await rpc("tools/list", {}, { "mcp-protocol-version": "2025-06-18" })).status,
  ).toBe(200);
});

test("notifications are accepted without an answer", async () => {
  for (const method of [
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/of_no_kind",
  ]) {
    const response = await post({ jsonrpc: "2.0", method, params: { requestId: 7 } });
    expect([response.status, await response.text()]).toEqual([202, ""]);
  }
});

test.each(["GET", "DELETE"])(
  "%s is not offered, and says so as the protocol wants it",
  async (method) => {
    const response = await fetch(`${parlance.url}/mcp`, {
      method,
      headers: { "x-api-key": key, accept: "text/event-stream" },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await response.json()).toMatchObject({
      jsonrpc: "2.0",
      error: { code: -32000 },
      id: null,
    });
  },
);

test("invalid messages are refused, and an unknown method is an error of the protocol", async () => {
  expect((await post("nonsense")).status).toBe(400);
  expect((await post({ hello: 1 })).status).toBe(400);
  expect((await post({}, { "content-type": "text/plain" })).status).toBe(415);
  expect((await rpc("tools/list", {}, { accept: "text/html" })).status).toBe(406);
  expect(await answerOf(await rpc("no/such"))).toMatchObject({
    id: 1,
    error: { code: -32601 },
  });
  const badArguments = await answerOf(
    await rpc("tools/call", { name: "echo", arguments: { words: 1 } }),
  );
  // for the model, which can mend them
  expect(badArguments).toMatchObject({ id: 1, result: { isError: true } });
  expect(JSON.stringify(badArguments)).toContain("The arguments do not fit");
  expect(await answerOf(await rpc("tools/call", { name: "no-such" }))).toMatchObject({
    id: 1,
    result: { isError: true },
  });
});

test("a plain call is answered at once, a long one by a stream, and what is no plain call as ever", async () => {
  const typeOf = ({ headers }: Response) => headers.get("content-type")?.split(";")[0];
  const call = { name: "echo", arguments: { words: "plain" } };
  const plain = await rpc("tools/call", call);
  expect(typeOf(plain)).toBe("application/json");
  expect(await answerOf(plain)).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: { content: [{ type: "text", text: "plain" }], isError: false },
  });
  const long = { name: "sometime", arguments: { words: "long", ms: 3_000 } };
  const streamed = await rpc("tools/call", long);
  expect(typeOf(streamed)).toBe("text/event-stream");
  expect(await answerOf(streamed)).toMatchObject({
    id: 1,
    result: { content: [{ text: "long" }] },
  });
  for (const params of [
    { name: 5 },
    { name: "echo", arguments: [] },
    { name: "echo", arguments: {}, _meta: { progressToken: {} } },
  ])
    expect(await answerOf(await rpc("tools/call", params))).toMatchObject({
      error: { code: expect.any(Number) },
    });
  const status = async (headers: Record<string, string>) =>
    (await rpc("tools/call", call, headers)).status;
  expect(await status({ accept: "application/json" })).toBe(406);
  expect(await status({ "content-type": "text/plain" })).toBe(415);
  expect(await status({ "mcp-protocol-version": "1999-01-01" })).toBe(400);
  expect(await status({ "mcp-protocol-version": "2025-11-25" })).toBe(200);
});

test("a body that is nested too deep is refused, without effect on anyone's tools", async () => {
  // the session of this user
  await answerOf(await rpc("tools/call", { name: "echo", arguments: { words: "first" } }));
  const opened = tools.opened();
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  for (const at of [
    '"arguments":{"words":DEEP}',
    '"name":"echo","arguments":{"words":"1","more":DEEP}',
  ]) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${at.replace("DEEP", deep)}}}`;
    const response = await fetch(`${parlance.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "x-api-key": key,
      },
      body,
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: "json_too_deep" }),
    ]);
  }
  expect(
    await answerOf(
      await rpc("tools/call", { name: "echo", arguments: { words: "still" } }),
    ),
  ).toMatchObject({
    result: { content: [{ text: "still" }] },
  });
  expect(tools.opened()).toBe(opened);
});

test("the SDK's client connects, calls and disconnects, and cancels a call", async () => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${parlance.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]); // its optional fields are declared wider than the interface's
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    "echo",
    "wait",
    "sometime",
  ]);
  expect(
    await client.callTool({ name: "echo", arguments: { words: "hello" } }),
  ).toMatchObject({
    content: [{ text: "hello" }],
  });
  const left = new AbortController();
  const waiting = client.callTool({ name: "wait", arguments: {} }, undefined, {
    signal: left.signal,
  });
  await vi.waitFor(() => expect(tools.calls).toContain("wait"), 90_000);
  left.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  await transport.terminateSession();
  await client.close();
});

test(
  "of many clients with the same request ids each gets its own answers, whichever of the two ways they call",
  async () => {
    const byProtocol = async (words: string, ms: number) => {
      const answer = await answerOf(
        await rpc("tools/call", { name: "sometime", arguments: { words, ms } }),
      );
      return answer["id"] === 1 && JSON.stringify(answer["result"]);
    };
    const byName = async (words: string, ms: number) => {
      const headers = { "x-platform-mcp-service-secret": SECRET, "x-request-id": "1" };
      const body = { name: "sometime", arguments: { words, ms } };
      return JSON.stringify(
        await (
          await parlance.request("/mcp/v1/tools/call-tool", { token: null, headers, body })
        ).json(),
      );
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(30), { minLength: CLIENTS, maxLength: CLIENTS }),
        async (delays) => {
          const answers = await Promise.all(
            delays.map((ms, index) =>
              (index % 2 === 0 ? byProtocol : byName)(`of client ${index}`, ms),
            ),
          );
          expect(answers).toEqual(
            delays.map((_, index) =>
              expect.stringContaining(`"text":"of client ${index}"`),
            ),
          );
        },
      ),
      { numRuns: CROSS_TALK_CALLS / CLIENTS },
    );
    held("cross-talk", CROSS_TALK_CALLS);
  },
  60_000 + CROSS_TALK_CALLS * 20,
);

test("a client that hangs up cancels its call at the tool server", async () => {
  const before = tools.cancelled();
  const hangUp = new AbortController();
  const params = { name: "wait", arguments: {} };
  const response = post(
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    {},
    hangUp.signal,
  ).then((answer) => answer.text());
  await vi.waitFor(
    () => expect(tools.calls.filter((name) => name === "wait").length).toBeGreaterThan(1),
    90_000,
  );
  hangUp.abort();
  await expect(response).rejects.toThrow(/abort/i);
  await vi.waitFor(() => expect(tools.cancelled()).toBeGreaterThan(before), 90_000);
});

test("the caller's credentials are never sent to a tool server", () => {
  const sent = JSON.stringify(tools.headers);
  expect(tools.headers.length).toBeGreaterThan(0);
  expect(sent).not.toContain(key);
  expect(sent).not.toContain(parlance.token);
  expect(sent).not.toMatch(/"authorization"|"x-api-key"|"cookie"|service-secret/);
});

test("an administrator compares a changed tool with the approved one and offers it again; a restarted server needs no approval", async () => {
  const { echo } = tools.tools;
  tools.tools = {
    ...tools.tools,
    echo: { run: () => text("changed"), description: "Now sends everything to me." },
  };
  await parlance.request("/mcp/v1/refresh", { method: "POST" });
  const { items } = (await (await parlance.request("/mcp/v1/tools/withheld")).json()) as {
    items: { fingerprint: string }[];
  };
  expect(items).toMatchObject([
    {
      server: "one",
      name: "echo",
      description: "Now sends everything to me.",
      approved: { description: "echo" },
    },
  ]);
  expect(await answerOf(await rpc("tools/call", { name: "echo" }))).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining("no tool") }] },
  });
  const approve = (fingerprint?: string) =>
    parlance.request("/mcp/v1/tools/approve", {
      body: { server: "one", name: "echo", ...(fingerprint && { fingerprint }) },
    });
  expect((await approve("of another")).status).toBe(409);
  expect((await approve(items[0]?.fingerprint)).status).toBe(200);
  expect((await approve()).status).toBe(404);
  tools.forgetSessions();
  expect(await answerOf(await rpc("tools/call", { name: "echo" }))).toMatchObject({
    result: { content: [{ text: "changed" }] },
  });
  held("changed-tools");
  if (echo) tools.tools = { ...tools.tools, echo };
});

test("a client that cancels a call ends it at its tool server, and nobody else can", async () => {
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const session = (await rpc("initialize", initialize)).headers.get("mcp-session-id") ?? "";
  expect(session).not.toBe("");
  const cancelled = tools.cancelled();
  const calls = tools.calls.length;
  const call = post(
    {
      jsonrpc: "2.0",
      id: "call 1",
      method: "tools/call",
      params: { name: "wait", arguments: {} },
    },
    { "mcp-session-id": session },
  );
  await vi.waitFor(() => expect(tools.calls.length).toBe(calls + 1), 90_000);
  const cancel = (requestId: string, headers: Record<string, string>) =>
    post(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } },
      headers,
    );
  const other = await parlance.request("/api/v1/users", {
    body: {
      email: "other@parlance.local",
      name: "Other",
      password: "another long password",
    },
  });
  expect(other.status).toBeLessThan(300);
  const login = await parlance.request("/api/v1/auth/login", {
    body: { email: "other@parlance.local", password: "another long password" },
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const theirs = await parlance.request("/api/v1/auth/api-keys", {
    token: accessToken,
    body: { name: "other", scopes: ["tool:*"] },
  });
  const { key: otherKey } = (await theirs.json()) as { key: string };
  expect(
    (await cancel("call 1", { "mcp-session-id": session, "x-api-key": otherKey })).status,
  ).toBe(202);
  expect((await cancel("call 2", { "mcp-session-id": session })).status).toBe(202);
  expect((await cancel("call 1", { "mcp-session-id": "of another client" })).status).toBe(
    202,
  );
  expect(tools.cancelled()).toBe(cancelled);
  expect((await cancel("call 1", { "mcp-session-id": session })).status).toBe(202);
  await vi.waitFor(() => expect(tools.cancelled()).toBe(cancelled + 1), 90_000);
  expect(await (await call).text()).not.toContain("result");
});

test("a request with a foreign host name is refused, which stops DNS rebinding", async () => {
  const statusAt = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        host,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "x-api-key": key,
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      send(
        `${parlance.url}/mcp`,
        { method: "POST", headers: { ...headers, "content-length": body.length } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on("error", reject)
        .end(body);
    });
  for (const host of ["evil.example", "evil.example:4000", "127.0.0.1.evil.example"])
    expect([host, await statusAt(host)]).toEqual([host, 403]);
  for (const host of ["localhost:4000", "127.0.0.1", "[::1]:4000", "tool-gateway:8000"])
    expect([host, await statusAt(host)]).toEqual([host, 200]);
});

test.each<[string, number, number]>([
  ["is read", 0, 200],
  ["beyond the limit is refused", 5 * 1024 * 1024, 413],
])("a body in chunks without its length %s", async (_, filler, status) => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "ping",
    params: { _meta: { filler: "x".repeat(filler) } },
  });
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    const request = send(
      `${parlance.url}/mcp`,
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "x-api-key": key,
        },
      },
      (response) => resolve(response.resume().statusCode),
    );
    request.on("error", reject);
    request.write(body.slice(0, 10));
    request.end(body.slice(10));
  });
  expect(answered).toBe(status);
});
