import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createLog } from "../src/platform/telemetry/log.ts";
import {
  type FakeLangflow,
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "./support/fake-langflow/start-fake-langflow.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** The ids of a request, at every server that it reaches and in the log of each failed call. */
const TRACE = {
  "x-request-id": "request-of-this-test",
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
};
const MCP_SECRET = "a-secret-of-the-tool-gateway";
const CANARY = "what-the-provider-said-of-the-key-sk-canary";

let parlance: TestServer;
let tools: ToolServer;
let langflow: FakeLangflow;
let provider: Server;
const asked: IncomingHttpHeaders[] = [];
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  provider = createServer((request, response) => {
    asked.push(request.headers);
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: CANARY } }));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`; // a TCP server has one
  tools = await startToolServer({ weather: { run: () => text("sunny") } });
  langflow = await startFakeLangflow();
  const write = (line: string) =>
    void lines.push(JSON.parse(line) as Record<string, unknown>);
  parlance = await startTestServer(
    {
      OPENAI_API_KEY: "sk-canary",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODELS: "gpt-test",
      ANTHROPIC_API_KEY: "sk-canary",
      ANTHROPIC_BASE_URL: `${url}/v1`,
      ANTHROPIC_MODELS: "claude-test",
      MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
      MCP_SERVERS_POLL: "200",
      MCP_SERVICE_SECRET: MCP_SECRET,
      FLOWENGINE_BASE_URL: langflow.url,
      FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
    },
    undefined,
    createLog({ level: "info", name: "test", write }),
  );
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await langflow[Symbol.asyncDispose]();
  provider.close();
});

const failures = () =>
  lines.filter(
    ({ msg, requestId }) => msg === "a call to a server failed" && requestId !== undefined,
  );

test.each(["openai/gpt-test", "anthropic/claude-test"])(
  "the provider of %s gets the ids, and its failure is logged with them and without what it said",
  async (model) => {
    asked.length = 0;
    lines.length = 0;
    const messages = [{ role: "user", content: "hello" }];
    const body = { model, messages, stream: false };
    const answer = await parlance.request("/api/v1/agent/run", { body, headers: TRACE });
    expect(answer.status).toBe(502);
    expect(asked[0]).toMatchObject(TRACE);
    expect(failures()).toMatchObject([
      {
        level: "warn",
        requestId: TRACE["x-request-id"],
        traceparent: TRACE.traceparent,
        provider: model.split("/")[0],
        code: "provider_refused_key",
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain("canary");
  },
);

test("a tool server gets the ids with a call, and a failed call is logged with them", async () => {
  const call = () =>
    parlance.request("/mcp/v1/tools/call-tool", {
      body: { name: "weather", arguments: {} },
      headers: { ...TRACE, "x-platform-mcp-service-secret": MCP_SECRET },
    });
  await vi.waitFor(async () => expect((await call()).status).toBe(200), 90_000);
  expect(tools.headers.at(-1)).toMatchObject(TRACE);
  lines.length = 0;
  tools.failCalls = 500;
  expect((await call()).status).toBe(502);
  expect(failures()).toMatchObject([
    {
      requestId: TRACE["x-request-id"],
      toolServer: "town",
      tool: "weather",
      code: "tool_failed",
    },
  ]);
});

test("the flow provider gets the ids, and its failure is logged with them", async () => {
  const list = () => parlance.request("/api/v1/flowengine/flows", { headers: TRACE });
  const account = { method: "POST", headers: TRACE };
  await parlance.request("/api/v1/integrations/flowengine/account", account);
  expect((await list()).status).toBe(200);
  expect(langflow.headers.at(-1)).toMatchObject(TRACE);
  lines.length = 0;
  langflow.settings.failing = 500;
  expect((await list()).status).toBe(502);
  expect(failures().at(-1)).toMatchObject({
    requestId: TRACE["x-request-id"],
    provider: "flowengine",
    code: "provider_failed",
  });
});
