import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { entry, gatewaysForTests, namesOf, run } from "../../../test/support/gateways.ts";

/** Servers as their SDKs and proxies make them, beside the specification. */
const gateways = gatewaysForTests();

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  message: { id?: unknown; method?: string; params?: Record<string, unknown> };
}
/** @returns whether it has answered. */
type Dialect = (exchange: Exchange) => boolean | undefined;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const TOOL = { name: "get", inputSchema: { type: "object", properties: {} } };
const RESULT = { content: [{ type: "text", text: "ok" }] };

function json(response: ServerResponse, body: unknown, status = 200, headers = {}): true {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
  return true;
}

async function serve(dialect: Dialect): Promise<{ url: string; seen: Exchange[] }> {
  const seen: Exchange[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const message = (text ? JSON.parse(text) : {}) as Exchange["message"];
    const exchange = { request, response, message };
    seen.push(exchange);
    if (dialect(exchange) === true) return;
    const { id, method } = message;
    const answer = (result: unknown) => json(response, { jsonrpc: "2.0", id, result });
    if (request.method !== "POST") response.writeHead(405).end();
    else if (method === "initialize")
      answer({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "f", version: "1" },
      });
    else if (method === "tools/list") answer({ tools: [TOOL] });
    else if (method === "tools/call") answer(RESULT);
    else response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen };
}

const answering =
  (method: string, result: object | ((message: Exchange["message"]) => object)): Dialect =>
  ({ response, message }) => {
    if (message.method !== method) return false;
    const value = typeof result === "function" ? result(message) : result;
    return json(response, { jsonrpc: "2.0", id: message.id, result: value });
  };

const initialize = (result: object) => answering("initialize", result);
const DIALECTS: Record<string, Dialect> = {
  "Python, absent fields as null": answering("tools/list", {
    tools: [
      { ...TOOL, description: null, annotations: null, title: null, outputSchema: null },
    ],
    nextCursor: null,
    _meta: null,
  }),
  "Go, null in the initialization": initialize({
    protocolVersion: "2025-03-26",
    capabilities: { tools: { listChanged: null }, logging: null, prompts: null },
    serverInfo: { name: "go", version: "1", title: null },
    instructions: null,
    _meta: null,
  }),
  "Java, null in the result": answering("tools/call", {
    content: [{ type: "text", text: "ok", annotations: null }],
    isError: null,
    structuredContent: null,
    _meta: null,
  }),
  "PHP, no name of the server and no version": initialize({ capabilities: { tools: [] } }),
  ".NET, a cursor that is a number": answering("tools/list", ({ params }) =>
    params?.["cursor"] === undefined
      ? { tools: [], nextCursor: 1 }
      : { tools: [TOOL], nextCursor: "" },
  ),
  "Rust, a cursor that does not advance": answering("tools/list", {
    tools: [TOOL],
    nextCursor: "8",
  }),
  "a tool without its schema": answering("tools/list", { tools: [{ name: "get" }] }),
  "annotations of another kind": answering("tools/list", {
    tools: [{ ...TOOL, annotations: { readOnlyHint: "yes" }, title: 7, description: 8 }],
  }),
  "one tool that cannot be read": answering("tools/list", { tools: [{}, null, 7, TOOL] }),
  "an unknown second page": ({ response, message }) => {
    if (message.method !== "tools/list") return false;
    if (message.params?.["cursor"] === undefined)
      return json(response, {
        jsonrpc: "2.0",
        id: message.id,
        result: { tools: [TOOL], nextCursor: "x" },
      });
    const error = { code: -32_602, message: "Invalid cursor" };
    return json(response, { jsonrpc: "2.0", id: message.id, error });
  },
  "an answer without jsonrpc": ({ response, message }) =>
    message.method === "tools/call" && json(response, { id: message.id, result: RESULT }),
  "a packed answer": ({ response, message }) => {
    if (message.method !== "tools/call") return false;
    const body = gzipSync(
      JSON.stringify({ jsonrpc: "2.0", id: message.id, result: RESULT }),
    );
    response.writeHead(200, {
      "content-type": "application/json",
      "content-encoding": "gzip",
    });
    response.end(body);
    return true;
  },
  "another good status and a byte order mark": ({ response, message }) =>
    message.method === "tools/call" &&
    json(
      response,
      `\uFEFF${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: RESULT })}`,
      201,
    ),
  "a last event without its empty line": ({ response, message }) => {
    if (message.method !== "tools/call") return false;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      `data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: RESULT })}`,
    );
    return true;
  },
  "a redirect to the address with a slash": ({ request, response }) => {
    if (request.url !== "/mcp") return false;
    response.writeHead(307, { location: "/mcp/" }).end();
    return true;
  },
  "a stream of notifications that is refused": ({ request, response }) => {
    if (request.method !== "GET") return false;
    response.writeHead(500).end("no");
    return true;
  },
};

test.each(Object.entries(DIALECTS))(
  "%s: its tool is listed and runs",
  async (_, dialect) => {
    const server = await serve(dialect);
    await using gateway = gateways.open();
    await gateway.configure([entry("one", server)]);
    expect(gateway.sessions()[0]?.failure?.message).toBeUndefined();
    expect(namesOf(gateway)).toEqual(["get"]);
    expect(await run(gateway, "get")).toBe("ok");
    const lists = server.seen.filter(({ message }) => message.method === "tools/list");
    expect(lists.length).toBeLessThanOrEqual(4);
  },
);

test("wrong annotations do not make a tool harmless", async () => {
  const server = await serve(DIALECTS["annotations of another kind"] as Dialect);
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  expect(gateway.list()[0]?.effect).toBe("destructive");
});

test("a version that nobody knows is named", async () => {
  const server = await serve(
    initialize({
      protocolVersion: "2099-01-01",
      capabilities: { tools: {} },
      serverInfo: { name: "f", version: "1" },
    }),
  );
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  expect(gateway.sessions()[0]?.failure).toMatchObject({
    code: "tool_server_version",
    message: expect.stringContaining("2099-01-01") as string,
  });
});

test("a redirect to another host is not followed", async () => {
  let arrived = 0;
  const other = await serve(() => ((arrived += 1), false));
  const server = await serve(({ response, message }) => {
    if (message.method !== "tools/call") return false;
    response.writeHead(307, { location: other.url }).end();
    return true;
  });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server, { headers: { "x-key": "secret" } })]);
  await expect(run(gateway, "get")).rejects.toMatchObject({ code: "tool_failed" });
  expect(arrived).toBe(0);
});

const rpcError = (code: number, message: string) => ({ error: { code, message } });
test.each([
  [404, {}],
  [404, ""],
  [410, "gone"],
  [400, rpcError(-32_000, "Bad Request: No valid session ID provided")],
  [400, rpcError(-32_000, "Bad Request: Server not initialized")],
  [400, rpcError(-32_600, "Missing session ID")],
  [422, { detail: "Session has expired" }],
  [200, rpcError(-32_600, "Session terminated")],
  [200, rpcError(-32_001, "Session not found")],
  [200, rpcError(-32_000, "Invalid session ID")],
])("a lost session is opened again after %i %o", async (status, body) => {
  let valid = "first";
  const server = await serve(({ request, response, message }) => {
    if (message.method === "initialize") response.setHeader("mcp-session-id", valid);
    else if (message.method === "tools/call")
      if (request.headers["mcp-session-id"] !== valid) {
        const id = status === 200 ? message.id : null;
        const full = typeof body === "string" ? body : { jsonrpc: "2.0", id, ...body };
        return json(response, full, status);
      }
    return false;
  });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  for (const userId of [undefined, "anne"]) {
    expect(await run(gateway, "get", {}, userId)).toBe("ok");
    valid = `after ${userId}`;
    expect(await run(gateway, "get", {}, userId)).toBe("ok");
  }
});

test("a tool's own error about a session is not repeated", async () => {
  let calls = 0;
  const server = await serve(({ response, message }) => {
    if (message.method !== "tools/call") return false;
    calls += 1;
    const error = { code: -32_603, message: "The session with the bank was refused" };
    return json(response, { jsonrpc: "2.0", id: message.id, error });
  });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  expect(await run(gateway, "get")).toContain("bank");
  expect(calls).toBe(1);
});

test("each user has a session of their own where a server keeps any, and it ends with the gateway", async () => {
  let opened = 0;
  const bySession = new Map<string, number>();
  const ended: string[] = [];
  const server = await serve(({ request, response, message }) => {
    const session = String(request.headers["mcp-session-id"]);
    if (request.method === "DELETE") {
      ended.push(session);
      response.writeHead(200).end();
      return true;
    }
    if (message.method === "initialize")
      response.setHeader("mcp-session-id", `s${(opened += 1)}`);
    if (message.method === "tools/call")
      bySession.set(session, (bySession.get(session) ?? 0) + 1);
    return false;
  });
  const gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  for (const userId of ["anne", "ben", "anne"]) await run(gateway, "get", {}, userId);
  expect([...bySession.values()]).toEqual([2, 1]);
  expect(opened).toBe(3);
  await gateway[Symbol.asyncDispose]();
  expect(ended.toSorted()).toEqual(["s1", "s2", "s3"]);
});

test("a server without sessions is not asked for one for each user", async () => {
  const server = await serve(() => false);
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  for (const userId of ["anne", "ben"]) await run(gateway, "get", {}, userId);
  const opened = server.seen.filter(({ message }) => message.method === "initialize");
  expect(opened).toHaveLength(1);
});

test.each(["Bearer {{USER_TOKEN}}", "${API_KEY}"])(
  "a header with the placeholder %s is never sent",
  async (value) => {
    const server = await serve(() => false);
    await using gateway = gateways.open();
    await gateway.configure([entry("one", server, { headers: { authorization: value } })]);
    expect(gateway.sessions()[0]?.failure?.code).toBe("tool_server_header_template");
    expect(server.seen).toEqual([]);
  },
);

test("a tool that reports progress outlives the time of one that is silent", async () => {
  const server = await serve(({ response, message }) => {
    if (message.method !== "tools/call") return false;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (body: object) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...body })}\n\n`);
    const meta = message.params?.["_meta"] as { progressToken?: string };
    const params = { progressToken: meta.progressToken, progress: 1 };
    let left = 8;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return send({ method: "notifications/progress", params });
      clearInterval(timer);
      send({ id: message.id, result: RESULT });
      return response.end();
    }, 100);
    return true;
  });
  await using gateway = gateways.open({ callTimeoutMs: 500 });
  await gateway.configure([entry("one", server)]);
  expect(await run(gateway, "get")).toBe("ok");
});

test("a server of the older transport is used over its one stream", async () => {
  let stream: ServerResponse | undefined;
  const server = await serve(({ request, response, message }) => {
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      stream.write("event: endpoint\ndata: /messages?session=1\n\n");
      return true;
    }
    if (request.url === "/mcp") {
      response.writeHead(405).end();
      return true;
    }
    response.writeHead(202).end("Accepted");
    const { id, method } = message;
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1", title: null },
        instructions: null,
      },
      "tools/list": { tools: [TOOL], nextCursor: null },
      "tools/call": { ...RESULT, isError: null },
    };
    const result = results[method ?? ""];
    if (result)
      stream?.write(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`,
      );
    return true;
  });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  expect(namesOf(gateway)).toEqual(["get"]);
  expect(await run(gateway, "get")).toBe("ok");
});
