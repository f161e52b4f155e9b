import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connectMcpClient, registerMcpClient } from "./support/mcp-client.ts";
import { startStatelessEverything } from "./support/everything-stateless.ts";
import { askStateless } from "./support/stateless-mcp.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import type { StatelessServer } from "./support/stateless-server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** One tool server alone, at `/mcp/<server>`, and the tools that were chosen for an API key. */

let town: ToolServer;
let sea: ToolServer;
let modern: StatelessServer;
let parlance: TestServer;
let key: string;

beforeAll(async () => {
  const server = (word: string) =>
    startToolServer(
      {
        look: { run: () => text(`${word} seen`) },
        [`${word}_only`]: { run: () => text(word) },
        wipe: { annotations: { destructiveHint: true }, run: () => text("wiped") },
      },
      { resources: { [`text://${word}`]: word } },
    );
  town = await server("town");
  sea = await server("sea");
  modern = await startStatelessEverything();
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([
      { name: "town", url: town.url },
      { name: "sea", url: sea.url },
      { name: "modern", url: modern.url },
    ]),
    MCP_SERVERS_POLL: "200",
  });
  key = await newKey({ scopes: ["tool:*"] });
  await vi.waitFor(async () => {
    const listed = await parlance.request("/api/v1/tools?query=sea");
    expect(await listed.json()).toMatchObject({ total: 3 });
    const first = await parlance.request("/api/v1/tools?query=town");
    expect(await first.json()).toMatchObject({ total: 3 });
    const others = await parlance.request("/api/v1/tools?query=test_logging_tool");
    expect(await others.json()).toMatchObject({ total: 1 });
  }, 90_000);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  for (const server of [town, sea, modern]) await server[Symbol.asyncDispose]();
});

async function newKey(body: object, token = parlance.token): Promise<string> {
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "client", ...body },
    token,
  });
  expect(made.status).toBe(201);
  return ((await made.json()) as { key: string }).key;
}

async function connect(path: string, by = key): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${parlance.url}${path}`), {
    requestInit: { headers: { authorization: `Bearer ${by}` } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
const namesOf = async (client: Client) =>
  (await client.listTools()).tools.map(({ name }) => name).toSorted();
const ping = (path: string, by = key) =>
  parlance.request(path, {
    token: null,
    headers: { "x-api-key": by, accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "ping" },
  });

test("a server alone has its tools under their own names, and its resources", async () => {
  await using all = await connect("/mcp");
  expect(await namesOf(all)).toEqual(
    expect.arrayContaining(["look", "sea__look", "sea__wipe", "sea_only", "town_only"]),
  );
  await using one = await connect("/mcp/sea");
  expect(await namesOf(one)).toEqual(["look", "sea_only", "wipe"]);
  expect(await one.callTool({ name: "look" })).toMatchObject({
    content: [{ text: "sea seen" }],
  });
  expect((await one.listResources()).resources.map(({ uri }) => uri)).toEqual([
    "text://sea",
  ]);
  const read = await one.readResource({ uri: "text://sea" });
  expect(read.contents).toMatchObject([{ text: "sea" }]);
});

test("nothing of another server is reached through it", async () => {
  await using one = await connect("/mcp/sea");
  for (const name of ["town_only", "sea__look", "no_such"])
    expect(await one.callTool({ name })).toMatchObject({ isError: true });
  await expect(one.readResource({ uri: "text://town" })).rejects.toThrow("not found");
  expect(town.calls).not.toContain("town_only");
});

test("a client of 2026-07-28 finds the same", async () => {
  const send = async (path: string, method: string, params = {}) =>
    (await askStateless(`${parlance.url}${path}`, method, { key, params })).text();
  const listed = await send("/mcp/sea", "tools/list");
  expect(listed).toContain('"sea_only"');
  expect(listed).not.toContain("sea__look");
  expect(listed).not.toContain("town_only");
  expect(await send("/mcp/sea", "tools/call", { name: "look", arguments: {} })).toContain(
    "sea seen",
  );
  expect(await send("/mcp/modern", "tools/list")).toContain("test_logging_tool");
});

test("a server that there is not, and one that is forbidden, answer the same 404", async () => {
  const role = {
    name: "town-only",
    permissions: [
      { action: "use", subject: "tool" },
      {
        action: "use",
        subject: "tool",
        inverted: true,
        conditions: { tool: { $in: ["sea__look", "sea_only", "sea__wipe"] } },
      },
    ],
  };
  await parlance.request("/api/v1/roles", { body: role });
  const bob = { email: "bob@test.example", password: "a long enough password" };
  await parlance.request("/api/v1/users", {
    body: { ...bob, name: "Bob", roles: ["town-only"] },
  });
  const bobs = await newKey({}, await parlance.signIn(bob.email, bob.password));
  const answers = await Promise.all(
    ["/mcp/town", "/mcp/sea", "/mcp/gone"].map((path) => ping(path, bobs)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
  const [, forbidden, gone] = await Promise.all(answers.map((answer) => answer.text()));
  const alike = (text = "") =>
    text.replace(/"requestId":"[^"]*"/, "").replace(/sea|gone/g, "…");
  expect(alike(forbidden)).toBe(alike(gone));
  const stream = await parlance.request("/mcp/gone", {
    token: null,
    method: "GET",
    headers: { "x-api-key": bobs, "mcp-session-id": "s" },
  });
  expect(stream.status).toBe(404);
});

test("a key runs the tools that were chosen for it, on every path, and no others", async () => {
  const chosen = await newKey({ scopes: ["tool:*"], tools: ["town/look", "sea"] });
  await using all = await connect("/mcp", chosen);
  expect(await namesOf(all)).toEqual(["look", "sea__look", "sea__wipe", "sea_only"]);
  await expect(all.callTool({ name: "town_only" })).rejects.toThrow("were chosen for this");
  await using one = await connect("/mcp/town", chosen);
  expect(await namesOf(one)).toEqual(["look"]);
  expect((await ping("/mcp/modern", chosen)).status).toBe(404);
  const listed = await parlance.request("/api/v1/auth/api-keys");
  const { items } = (await listed.json()) as { items: { tools: string[] | null }[] };
  expect(items.map(({ tools }) => tools)).toContainEqual(["town/look", "sea"]);
  for (const tools of [[], ["a b"], ["/x"], ["town/a b"]]) {
    const refused = await parlance.request("/api/v1/auth/api-keys", {
      body: { name: "client", tools },
    });
    expect(refused.status).toBe(400);
  }
});

test("a client that signs its user in finds out at the address of the one server", async () => {
  const refused = await parlance.request("/mcp/sea", { token: null, body: {} });
  const found = /resource_metadata="([^"]+)"/.exec(
    refused.headers.get("www-authenticate") ?? "",
  )?.[1];
  expect(found).toBe(`${parlance.url}/.well-known/oauth-protected-resource/mcp/sea`);
  const metadata = await fetch(found ?? "");
  const resource = `${parlance.url}/mcp/sea`;
  expect(await metadata.json()).toMatchObject({ resource });
  const { request } = await registerMcpClient(parlance);
  const ask = async (named: string) => {
    const query = new URLSearchParams({ ...request, resource: named });
    return (await parlance.request(`/api/v1/oauth/authorization?${query}`)).status;
  };
  expect(await ask(resource)).toBe(200);
  expect(await ask(`${parlance.url}/mcp/sea/more`)).toBe(400);
  expect(await ask("https://elsewhere.example/mcp/sea")).toBe(400);
  const { access_token: token } = await connectMcpClient(parlance, parlance.token);
  const answer = await parlance.request("/mcp/sea", {
    token,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "ping" },
  });
  expect(answer.status).toBe(200);
});

test("a program runs only the tools that its user chose for it, also after it renews", async () => {
  const chosen = ["sea", "town/look"];
  const scopes = ["tool:use", "tool:approve"];
  const granted = await connectMcpClient(
    parlance,
    parlance.token,
    scopes,
    "Chooser",
    chosen,
  );
  const check = async (token: string) => {
    await using client = await connect("/mcp", token);
    expect(await namesOf(client)).toEqual(["look", "sea__look", "sea__wipe", "sea_only"]);
    const before = town.calls.length;
    await expect(client.callTool({ name: "town_only" })).rejects.toThrow("not among those");
    expect(town.calls).toHaveLength(before);
    expect(await client.callTool({ name: "look" })).toMatchObject({
      content: [{ text: "town seen" }],
    });
  };
  await check(granted.access_token);
  await expect(connect("/mcp/modern", granted.access_token)).rejects.toThrow(
    "no tool server",
  );
  const renewed = await fetch(`${parlance.url}/api/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: granted.refresh_token,
      client_id: granted.client.id,
    }),
  });
  await check(((await renewed.json()) as { access_token: string }).access_token);
  const listed = await parlance.request("/api/v1/oauth/grants");
  const { items } = (await listed.json()) as { items: object[] };
  expect(items[0]).toMatchObject({ clientName: "Chooser", tools: chosen });
});

test("of a program that was connected with some tools and with all, all are shown", async () => {
  await connectMcpClient(parlance, parlance.token, ["tool:use"], "Both", ["sea"]);
  await connectMcpClient(parlance, parlance.token, ["tool:use"], "Both");
  const listed = await parlance.request("/api/v1/oauth/grants");
  const { items } = (await listed.json()) as {
    items: { clientName: string; tools: unknown }[];
  };
  expect(items.find(({ clientName }) => clientName === "Both")).toMatchObject({
    connections: 2,
    tools: null,
  });
});
