import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  startDeafServer,
  startToolServer,
  text,
  type ToolServer,
} from "./support/tool-server.ts";

/** Tool servers from a file, one of which accepts connections and never answers. */
const secret = { "x-platform-mcp-service-secret": "file-secret-file-secret" };
let folder: string;
let good: ToolServer;
let late: ToolServer;
let deaf: Awaited<ReturnType<typeof startDeafServer>>;
let parlance: TestServer;
const file = () => join(folder, "servers.json");
const write = (servers: unknown) => writeFile(file(), JSON.stringify(servers));
const entries = () => [
  { name: "deaf", url: deaf.url },
  { name: "good", url: good.url },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-servers-"));
  good = await startToolServer({ add: { run: () => text("3") } });
  late = await startToolServer({ find: { run: () => text("found") } });
  deaf = await startDeafServer();
  await write(entries());
  parlance = await startTestServer({
    MCP_SERVICE_SECRET: "file-secret-file-secret",
    SERVICE_SECRET: "a-secret-between-services",
    MCP_SERVERS_FILE: file(),
    MCP_SERVERS_POLL: "100",
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await Promise.all([good, late, deaf].map((server) => server[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true });
});

async function names(): Promise<string[]> {
  const response = await parlance.request("/mcp/v1/tools/list-tools", {
    token: null,
    headers: secret,
  });
  return ((await response.json()) as { tools: { name: string }[] }).tools.map(
    ({ name }) => name,
  );
}

test("a server that never answers delays neither the start nor a refresh, and other servers' tools are listed", async () => {
  await vi.waitFor(async () => expect(await names()).toEqual(["add"]), 90_000);
  expect((await parlance.request("/mcp/v1/refresh", { method: "POST" })).status).toBe(200);
  const servers = await parlance.request("/mcp/v1/servers");
  expect(await servers.json()).toMatchObject({
    items: [
      { name: "deaf", tools: 0 },
      { name: "good", state: "ready", tools: 1 },
    ],
  });
});

test("a changed file applies without a restart, and an invalid one changes nothing", async () => {
  await write([...entries(), { name: "late", url: late.url, rename: { find: "seek" } }]);
  await vi.waitFor(async () => expect(await names()).toEqual(["add", "seek"]), 90_000);
  await write([{ name: "bad", command: "sh", args: ["-c", "id"] }]);
  const refused = await parlance.request("/mcp/v1/refresh", { method: "POST" });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { code: "tool_servers_invalid" },
  ]);
  expect(await names()).toEqual(["add", "seek"]);
  await write([{ name: "late", url: late.url }]);
  await vi.waitFor(async () => expect(await names()).toEqual(["find"]), 90_000);
});

test("a server is tried before it is saved: its tools, or why not; stored headers go to its own address", async () => {
  const tried = async (body: object) => {
    const response = await parlance.request("/mcp/v1/servers/test", { body });
    return { status: response.status, answer: (await response.json()) as object };
  };
  expect(
    (await tried({ url: late.url, headers: { "x-key": "typed" } })).answer,
  ).toMatchObject({
    ok: true,
    tools: [{ name: "find" }],
  });
  expect(late.headers.at(-1)?.["x-key"]).toBe("typed");
  const notOne = await tried({ url: `${parlance.url}/healthz` });
  expect(notOne.answer).toMatchObject({ ok: false, tools: [] });
  const forbidden = await tried({ url: "http://10.1.2.3/mcp" });
  expect(forbidden.answer).toMatchObject({
    ok: false,
    error: { code: "address_not_allowed" },
  });

  await write([{ name: "good", url: good.url, headers: { "x-key": "stored" } }]);
  await vi.waitFor(async () => {
    const { answer } = await tried({ name: "good", url: good.url });
    expect(answer).toMatchObject({ ok: true });
    expect(good.headers.at(-1)?.["x-key"]).toBe("stored");
  }, 90_000);
  expect(await tried({ name: "good", url: late.url })).toMatchObject({
    status: 400,
    answer: { code: "tool_server_headers_kept" },
  });
}, 120_000);

test("only a service with its secret reads the values of headers; others read that they are set", async () => {
  const body = {
    name: "keyed",
    url: "http://127.0.0.1:9/mcp",
    headers: { authorization: "Bearer planted" },
  };
  const path = "/api/v1/mcp-servers";
  expect((await parlance.request(path, { body })).status).toBe(201);
  const inService = { "x-platform-service-secret": "a-secret-between-services" };
  const headers = { authorization: { configured: true } };
  const stored = { ...body, enabled: true, registeredAt: expect.any(String) };
  for (const at of [
    "/services-config/mcp-servers",
    "/api/v1/services-config/mcp-servers",
  ]) {
    const stranger = await fetch(parlance.internalUrl + at);
    expect(await stranger.json()).toContainEqual({ ...stored, headers });
    const service = await fetch(parlance.url + at, { headers: inService });
    expect(await service.json()).toContainEqual(stored);
  }
  const deleted = await parlance.request(`${path}/keyed`, { method: "DELETE" });
  expect(deleted.status).toBe(204);
});

test("a field that a tool server does not have is refused by its name, whatever it holds", async () => {
  const server = { name: "misspelt", url: "http://127.0.0.1:1/mcp" };
  const header = { authorization: "Bearer a-secret-of-theirs" };
  const made = await parlance.request("/api/v1/mcp-servers", {
    body: { ...server, header },
  });
  expect(made.status).toBe(400);
  const said = await made.text();
  expect(said).toContain("body.header");
  expect(said).toContain("headers");
  expect(said).not.toContain("a-secret-of-theirs");
  const path = "/api/v1/mcp-servers";
  const right = await parlance.request(path, { body: { ...server, headers: header } });
  expect(right.status).toBe(201);
  const shown = (await right.json()) as object;
  const url = `${path}/misspelt`;
  const changed = await parlance.request(url, {
    method: "PUT",
    body: { ...shown, header },
  });
  expect(changed.status).toBe(400);
  await parlance.request(url, { method: "DELETE" });
});
