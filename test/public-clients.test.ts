import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

/** The unchanged public tool server and public client, with the gateway between them. */
let port: number;
let parlance: TestServer;
let key: string;
let server: ChildProcess;

beforeAll(async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  port = (probe.address() as AddressInfo).port; // a TCP server has one
  await new Promise((resolve) => probe.close(resolve));
  server = startEverything();
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([
      { name: "everything", url: `http://127.0.0.1:${port}/mcp` },
    ]),
  });
  key = (
    (await (
      await parlance.request("/api/v1/auth/api-keys", {
        body: { name: "client", scopes: ["tool:*"] },
      })
    ).json()) as {
      key: string;
    }
  ).key;
  await vi.waitFor(async () => {
    const { items } = (await (await parlance.request("/mcp/v1/servers")).json()) as {
      items: { state: string }[];
    };
    expect(items[0]?.state).toBe("ready");
  }, 90_000);
});
afterAll(async () => {
  server.kill();
  await parlance[Symbol.asyncDispose]();
});

function startEverything(): ChildProcess {
  const file = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
  return spawn(process.execPath, [file, "streamableHttp"], {
    env: { PATH: process.env["PATH"], PORT: String(port) },
    stdio: "ignore",
  });
}

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ name: "public", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { "x-api-key": key } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]); // its optional fields are declared wider than the interface's
  return client;
}

test("a public MCP client lists tools, calls them and is refused through /mcp as it is directly", async () => {
  const [direct, through] = await Promise.all([
    clientOf(`http://127.0.0.1:${port}/mcp`),
    clientOf(`${parlance.url}/mcp`),
  ]);
  const tools = async (client: Client) =>
    (await client.listTools()).tools.map(
      ({ name, description, title, annotations, outputSchema }) => ({
        name,
        description,
        title,
        annotations,
        outputSchema,
      }),
    );
  expect(await tools(through)).toEqual(await tools(direct));
  await through.ping();
  for (const [name, args] of [
    ["echo", { message: "hello" }],
    ["get-sum", { a: 2, b: 3 }],
    ["get-structured-content", { location: "Chicago" }],
    ["get-tiny-image", {}],
  ] as const) {
    expect(await through.callTool({ name, arguments: args })).toEqual(
      await direct.callTool({ name, arguments: args }),
    );
  }
  const unknown = await through.callTool({ name: "no-such-tool", arguments: {} });
  expect(unknown).toMatchObject({ isError: true });
  expect(JSON.stringify(unknown)).toMatch(/no-such-tool/);
  await Promise.all([direct.close(), through.close()]);
});

test("an MCP client without a key, or from a foreign page, gets nothing", async () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${parlance.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
  expect((await post({})).status).toBe(401);
  expect((await post({ "x-api-key": key, origin: "https://evil.example" })).status).toBe(
    403,
  );
  expect((await post({ "x-api-key": key })).status).toBe(200);
});

test("a body that is too large for /mcp is refused before it is read", async () => {
  const response = await fetch(`${parlance.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-api-key": key,
    },
    body: "x".repeat(17 * 1024 * 1024),
  });
  expect(response.status).toBe(413);
});

test("two hundred clients with the same request id each get their own answer", async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const response = await fetch(`${parlance.url}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "x-api-key": key,
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 7,
          method: "tools/call",
          params: { name: "echo", arguments: { message: `m${n}.` } },
        }),
      });
      return (await response.text()).includes(`m${n}.`);
    }),
  );
  expect(answers.filter(Boolean)).toHaveLength(200);
});

test("a killed public server is detected, and works at once after its restart", async () => {
  const state = async () => {
    const { items } = (await (await parlance.request("/mcp/v1/servers")).json()) as {
      items: { state: string }[];
    };
    return items[0]?.state;
  };
  server.kill("SIGKILL");
  await vi.waitFor(async () => expect(await state()).toBe("down"), 90_000);
  server = startEverything();
  await vi.waitFor(async () => expect(await state()).toBe("ready"), 90_000);
  const client = await clientOf(`${parlance.url}/mcp`);
  expect(
    await client.callTool({ name: "echo", arguments: { message: "back" } }),
  ).toMatchObject({
    content: [{ type: "text" }],
  });
  await client.close();
});
