import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import { held } from "./support/held.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Views of tools' results (MCP Apps), as Parlance's own pages read and use them. */

const URI = "ui://town/view.html";
let parlance: TestServer;
let http: Server;
let content: Record<string, unknown>;
let note: string;
const calls: string[] = [];
/** What the gateway says that it can do. */
let declared: unknown;
type Sent = { method?: string; params?: Record<string, unknown> } | undefined;

function makeServer(): McpServer {
  const server = new McpServer({ name: "town", version: "1" });
  const add = (name: string, ui: object, annotations = { readOnlyHint: true }) =>
    server.registerTool(name, { annotations, _meta: { ui } }, () => {
      calls.push(name);
      return { content: [{ type: "text", text: `${name} ran` }], _meta: { more: 1 } };
    });
  add("look", { resourceUri: URI });
  add("wipe", { visibility: ["app"] }, { readOnlyHint: false });
  add("model_only", { resourceUri: "https://no.view/", visibility: ["model"] });
  server.registerResource("view", URI, {}, () => ({
    contents: [{ uri: URI, ...content } as { uri: string; text: string }], // also wrong ones
  }));
  server.registerResource("note", "town://note", {}, () => ({
    contents: [{ uri: "town://note", text: note }],
  }));
  return server;
}

/** Another server, whose resources are no matter of a view of the first. */
function makeBank(): McpServer {
  const server = new McpServer({ name: "bank", version: "1" });
  const annotations = { readOnlyHint: true };
  server.registerTool("pay", { annotations }, () => ({ content: [] }));
  server.registerResource("secret", "bank://secret", {}, () => {
    calls.push("bank://secret");
    return { contents: [{ uri: "bank://secret", text: "of the bank" }] };
  });
  return server;
}

beforeAll(async () => {
  http = createServer((request, response) => {
    void (async () => {
      const server = request.url === "/bank" ? makeBank() : makeServer();
      const transport = new StreamableHTTPServerTransport({});
      response.on("close", () => void server.close());
      await server.connect(transport as Parameters<McpServer["connect"]>[0]);
      const body = (await json(request).catch(() => undefined)) as Sent; // of a GET there is none
      if (body?.method === "initialize") declared = body.params?.["capabilities"];
      await transport.handleRequest(request, response, body);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on TCP
  const url = `${origin}/mcp`;
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([
      { name: "town", url },
      { name: "twin", url, rename: { look: "twin_look", wipe: "twin_wipe" } },
      { name: "bank", url: `${origin}/bank` },
    ]),
    MCP_SERVERS_POLL: "200",
  });
  await vi.waitFor(async () => {
    const listed = await (await parlance.request("/api/v1/tools")).text();
    for (const name of ["look", "twin_look", "pay"]) expect(listed).toContain(`"${name}"`);
  }, 60_000);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  http.closeAllConnections();
  http.close();
});
beforeEach(() => {
  calls.length = 0;
  note = "of the town";
  content = { mimeType: "text/html;profile=mcp-app", text: "<p>hello</p>" };
});

const read = (body: object, token = parlance.token) =>
  parlance.request("/api/v1/tools/view", {
    token,
    body: { server: "town", uri: URI, ...body },
  });
const ask = (body: object, token = parlance.token) =>
  parlance.request("/api/v1/tools/view/call", {
    token,
    body: { server: "town", tool: "look", ...body },
  });

const readResource = (body: object, token = parlance.token) =>
  parlance.request("/api/v1/tools/view/resource", {
    token,
    body: { server: "town", uri: "town://note", ...body },
  });
const listResources = (body: object) =>
  parlance.request("/api/v1/tools/view/resources", { body });

test("a view reads resources of its own server, and of no other", async () => {
  expect(await (await readResource({})).json()).toEqual({
    contents: [{ uri: "town://note", text: "of the town" }],
  });
  const listed = await (await listResources({ server: "town" })).text();
  expect(listed).toContain('"town://note"');
  expect(listed).not.toContain("bank");
  const templates = await listResources({ server: "town", kind: "templates" });
  expect(await templates.json()).toEqual({ items: [] });
  const theirs = await readResource({ uri: "bank://secret" });
  expect([theirs.status, await theirs.json()]).toMatchObject([
    404,
    { code: "view_resource_not_found" },
  ]);
  expect((await readResource({ uri: "file:///etc/passwd" })).status).toBe(404);
  expect(calls).toEqual([]);
  // and the bank's own view does
  const own = await readResource({ server: "bank", uri: "bank://secret" });
  expect(await own.text()).toContain("of the bank");
  held("tool-views", 2);
});

test("a resource that is too large does not reach a view", async () => {
  note = "x".repeat(3_000_001);
  const answer = await readResource({});
  expect([answer.status, await answer.json()]).toMatchObject([
    502,
    { code: "view_resource_invalid" },
  ]);
  held("tool-views");
});

test("a view learns of the tool whose result it shows, and of no other", async () => {
  expect(await (await read({ tool: "look" })).json()).toMatchObject({
    tool: { name: "look", inputSchema: { type: "object" } },
  });
  for (const other of ["wipe", "twin_look", "pay"])
    expect(await (await read({ tool: other })).json()).not.toHaveProperty("tool");
});

test("a view is read, with a policy of what it declares and no more", async () => {
  const answer = await read({});
  const { html, policy } = (await answer.json()) as Record<"html" | "policy", string>;
  expect(html).toBe("<p>hello</p>");
  expect(policy).toContain("default-src 'none'; script-src 'unsafe-inline';");
  expect(policy).toContain("connect-src 'none'");
  const connectDomains = [
    "https://api.example:8443",
    "https://*.cdn.example",
    "https://x; script-src *",
    "https://a b",
    "*",
    "data:",
    7,
  ];
  content = {
    ...content,
    text: undefined,
    blob: Buffer.from("<p>blob</p>").toString("base64"),
    _meta: { ui: { csp: { connectDomains, resourceDomains: ["https://files.example"] } } },
  };
  const declared = (await (await read({})).json()) as Record<"html" | "policy", string>;
  expect(declared.html).toBe("<p>blob</p>");
  expect(declared.policy).toContain(
    "connect-src https://api.example:8443 https://*.cdn.example; base-uri",
  );
  expect(declared.policy).toContain("script-src 'unsafe-inline' https://files.example;");
});

test.each([
  ["of another type", { mimeType: "text/html", text: "x" }],
  ["that is empty", { mimeType: "text/html;profile=mcp-app", text: "" }],
  [
    "that is too large",
    { mimeType: "text/html;profile=mcp-app", text: "x".repeat(3_000_001) },
  ],
])("a page %s is not shown", async (_, wrong) => {
  content = wrong;
  const answer = await read({});
  expect([answer.status, await answer.json()]).toMatchObject([
    502,
    { code: "view_invalid" },
  ]);
  held("tool-views");
});

test("only what a tool names that the person may use is read", async () => {
  for (const other of [{ uri: "ui://town/other.html" }, { server: "none" }])
    expect((await read(other)).status).toBe(404);
  expect((await read({ uri: "file:///etc/passwd" })).status).toBe(400);
  await parlance.request("/api/v1/roles", {
    body: {
      name: "no-look",
      permissions: [
        { action: "use", subject: "tool" },
        {
          action: "use",
          subject: "tool",
          inverted: true,
          conditions: { tool: "look" },
        },
      ],
    },
  });
  const bob = await newPerson(parlance, "bob");
  await parlance.request(`/api/v1/users/${bob.id}`, {
    method: "PATCH",
    body: { roles: ["no-look"] },
  });
  const token = await parlance.signIn("bob@test.example", "a long enough password");
  expect((await read({}, token)).status).toBe(404);
  expect((await read({ server: "twin" }, token)).status).toBe(200);
  expect((await ask({}, token)).status).toBe(403);
  // runs nothing that may destroy something, approved or not, without the right to approve
  expect((await ask({ tool: "wipe", approved: true }, token)).status).toBe(403);
  expect(calls).toEqual([]);
  held("tool-views", 6);
});

test("a view calls tools of its server by their own names, and what may destroy asks", async () => {
  expect(await (await ask({})).json()).toMatchObject({
    state: "answered",
    result: { content: [{ text: "look ran" }], _meta: { more: 1 } },
  });
  expect(await (await ask({ server: "twin" })).json()).toMatchObject({ state: "answered" });
  expect((await ask({ tool: "twin_look" })).status).toBe(404);
  expect((await ask({ tool: "model_only" })).status).toBe(404);
  calls.length = 0;
  expect(await (await ask({ tool: "wipe" })).json()).toEqual({
    state: "asks",
    tool: "wipe",
  });
  expect(calls).toEqual([]);
  const approved = await ask({ tool: "wipe", approved: true });
  expect(await approved.json()).toMatchObject({ state: "answered" });
  expect(calls).toEqual(["wipe"]);
  held("tool-views", 3);
});

test("servers learn that views are shown here", () => {
  expect(declared).toMatchObject({
    extensions: {
      "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] },
    },
  });
});

test("what is for views alone is offered to no model, and to clients of MCP as it is", async () => {
  const listed = await (await parlance.request("/api/v1/tools")).text();
  expect(listed).toContain('"model_only"');
  expect(listed).not.toContain('"wipe"');
  const key = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "k", scopes: ["tool:*"] },
  });
  const answer = await parlance.request("/mcp", {
    token: null,
    headers: {
      "x-api-key": ((await key.json()) as { key: string }).key,
      accept: "application/json, text/event-stream",
    },
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  });
  expect(await answer.text()).toContain('"name":"wipe"');
});
