import { inputRequired } from "@modelcontextprotocol/server";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { entry, gatewaysForTests, namesOf } from "../../../test/support/gateways.ts";
import { startStatelessServer } from "../../../test/support/stateless-server.ts";
import { text } from "../../../test/support/tool-server.ts";
import type { Gateway } from "./gateway.ts";
import { withVisits } from "./visits.ts";

const gateways = gatewaysForTests();
const PATIENT = { callTimeoutMs: 90_000 };
const ADDRESS = "https://tickets.example/link?of=1";
const { signal } = new AbortController();

const call = (gateway: Gateway) =>
  withVisits("one", (questions) =>
    gateway.call("open", {}, { userId: "ada", signal, questions }),
  );
const NEEDED = {
  code: "tool_visit_needed",
  params: { server: "one", address: ADDRESS, said: "Link your account" },
};

test("a server of 2026-07-28 that wants its user at an address ends the call with it", async () => {
  let visited = false;
  await using server = await startStatelessServer({
    open: {
      run: () =>
        visited
          ? text("open")
          : inputRequired({
              inputRequests: {
                link: {
                  method: "elicitation/create",
                  params: {
                    mode: "url",
                    message: "Link your account",
                    url: ADDRESS,
                    elicitationId: "e1",
                  },
                } as never, // 2026-07-28 has no id of it
              },
            }),
    },
  });
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  await expect(call(gateway)).rejects.toMatchObject(NEEDED);
  visited = true;
  expect(await call(gateway)).toMatchObject({ content: [{ text: "open" }] });
});

test.each([
  ["an address", ADDRESS, NEEDED],
  ["a script", "javascript:alert(1)", { code: "tool_input_needed" }],
])("a server of 2025 that refuses until its user was at %s", async (_, url, expected) => {
  const elicitations = [
    { mode: "url", elicitationId: "e1", url, message: "Link your account" },
  ];
  await using server = await startOlder((method) =>
    method === "tools/call"
      ? { error: { code: -32_042, message: "Visit first", data: { elicitations } } }
      : undefined,
  );
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  expect(namesOf(gateway)).toEqual(["open"]);
  await expect(call(gateway)).rejects.toMatchObject(expected);
});

test("icons, execution and _meta of a tool reach clients, and do not make it another tool", async () => {
  const extras = {
    icons: [{ src: "https://tickets.example/icon.png", mimeType: "image/png" }],
    execution: { taskSupport: "optional" },
    _meta: { ui: { resourceUri: "ui://one/view" } },
  };
  let shown: object = {};
  await using server = await startOlder((method) =>
    method === "tools/list"
      ? { result: { tools: [{ name: "open", inputSchema: { type: "object" }, ...shown }] } }
      : undefined,
  );
  await using gateway = gateways.open(PATIENT);
  await gateway.configure([entry("one", server)]);
  expect(gateway.entries()[0]?.tool.extras).toBeUndefined();
  shown = extras;
  await gateway.refresh();
  expect(gateway.withheld()).toEqual([]);
  expect(gateway.entries()[0]?.tool.extras).toEqual(extras);
  shown = { ...extras, _meta: { filler: "x".repeat(70_000) } };
  await gateway.refresh();
  expect(gateway.entries()[0]?.tool.extras).toBeUndefined();
});

/** A server of 2025-11-25 with one tool, as a test changes its answers. */
async function startOlder(answerTo: (method: string) => object | undefined) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { id, method = "" } = (body ? JSON.parse(body) : {}) as {
      id?: unknown;
      method?: string;
    };
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "older", version: "1" },
      },
      "tools/list": { tools: [{ name: "open", inputSchema: { type: "object" } }] },
    };
    const answer = answerTo(method) ?? (results[method] && { result: results[method] });
    if (request.method !== "POST") return response.writeHead(405).end();
    if (id === undefined) return response.writeHead(202).end();
    const unknown = { error: { code: -32_601, message: "Method not found" } };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(answer ?? unknown) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
