import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** What clients of MCP hear outside of their requests. */

const TIDES = "test://tides";
const WEATHER = "test://weather";
let tools: ToolServer;
let parlance: TestServer;
beforeAll(async () => {
  tools = await startToolServer(
    { echo: { run: () => text("here") } },
    { unknownSession: 404, resources: { [TIDES]: "tides", [WEATHER]: "sunny" } },
  );
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([{ name: "one", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  await vi.waitFor(async () => {
    const listed = await parlance.request("/api/v1/tools");
    expect(await listed.json()).toMatchObject({ total: 1 });
  }, 90_000);
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

/** A client of the official SDK, and what it has heard. */
async function connect(key: string) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${parlance.url}/mcp`), {
    requestInit: { headers: { "x-api-key": key } },
  });
  const heard = { updated: [] as string[], toolsChanged: 0 };
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.updated.push(params.uri);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.toolsChanged += 1;
  });
  // its optional fields are declared wider than the interface's
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return { client, heard, [Symbol.asyncDispose]: () => client.close() };
}
const watched = (uris: string[]) =>
  expect.poll(() => [...new Set(tools.subscribed())].toSorted()).toEqual(uris);

test("a client hears that a resource changed to which it subscribed, and no more once it does not", async () => {
  await using one = await connect(await keyOf(parlance.token));
  await using other = await connect(await keyOf(parlance.token));
  await one.client.subscribeResource({ uri: TIDES });
  await other.client.subscribeResource({ uri: WEATHER });
  await watched([TIDES, WEATHER]);
  await tools.resourceChanged(TIDES);
  await expect.poll(() => one.heard.updated).toEqual([TIDES]);

  await one.client.unsubscribeResource({ uri: TIDES });
  await watched([WEATHER]);
  await tools.resourceChanged(WEATHER);
  await expect.poll(() => other.heard.updated).toEqual([WEATHER]);
  expect(one.heard.updated).toEqual([TIDES]);
});

test("subscriptions outlive a restart of the tool server, and end with their client", async () => {
  const one = await connect(await keyOf(parlance.token));
  await one.client.subscribeResource({ uri: TIDES });
  await watched([TIDES]);
  tools.forgetSessions();
  await parlance.request("/mcp/v1/refresh", { method: "POST" });
  await watched([TIDES]);
  await tools.resourceChanged(TIDES);
  await expect.poll(() => one.heard.updated).toEqual([TIDES]);
  await one[Symbol.asyncDispose]();
  await watched([]);
});

test("a client hears that the tools changed", async () => {
  await using one = await connect(await keyOf(parlance.token));
  await one.client.subscribeResource({ uri: TIDES });
  await watched([TIDES]); // its stream is open
  tools.tools["another"] = { run: () => text("new") };
  await tools.toolsChanged();
  await expect.poll(() => one.heard.toolsChanged).toBeGreaterThan(0);
  expect((await one.client.listTools()).tools).toHaveLength(2);
});

test("what one may not read one cannot subscribe to", async () => {
  const everything = { action: "manage", subject: "all" };
  const forbidden = ["echo", "another"].map((tool) => ({
    action: "use",
    subject: "tool",
    inverted: true,
    conditions: { tool },
  }));
  const role = { name: "limited", permissions: [everything, ...forbidden] };
  await parlance.request("/api/v1/roles", { body: role });
  const user = {
    name: "Eve",
    email: "eve@test.example",
    password: "a long enough password",
  };
  await parlance.request("/api/v1/users", { body: { ...user, roles: ["limited"] } });
  const token = await parlance.signIn(user.email, user.password);
  await using one = await connect(await keyOf(token));
  await expect(one.client.subscribeResource({ uri: TIDES })).rejects.toThrow(/not found/i);
});

test("a resource that nobody has is refused", async () => {
  await using one = await connect(await keyOf(parlance.token));
  const asked = one.client.subscribeResource({ uri: "test://nothing" });
  await expect(asked).rejects.toThrow(/not found/i);
});
