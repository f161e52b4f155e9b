import { execFile } from "node:child_process";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

// the tools that the scenarios of @modelcontextprotocol/conformance require
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TONE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
const resource = (uri: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType: "text/plain", text: "This is an embedded resource content." },
});
const TOOLS = {
  test_simple_text: { run: () => text("This is a simple text response for testing.") },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: {
    run: () => ({
      content: [{ type: "audio" as const, data: TONE, mimeType: "audio/wav" }],
    }),
  },
  test_embedded_resource: {
    run: () => ({ content: [resource("test://embedded-resource")] }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        { type: "text" as const, text: "Multiple content types test:" },
        image,
        resource("test://mixed-content-resource"),
      ],
    }),
  },
  test_error_handling: {
    run: () => text("This tool intentionally returns an error for testing", true),
  },
};
const SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
];

let tools: ToolServer;
let parlance: TestServer;
let gate: { url: string; close(): void };
beforeAll(async () => {
  tools = await startToolServer(TOOLS);
  parlance = await startTestServer({
    MCP_SERVICE_SECRET: "conformance-secret",
    MCP_SERVERS: JSON.stringify([{ name: "conformance", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  gate = await addingSecret(parlance.url);
  await vi.waitFor(async () => {
    const list = await parlance.request("/mcp/v1/tools/list-tools", {
      token: null,
      headers: { "x-platform-mcp-service-secret": "conformance-secret" },
    });
    expect(await list.text()).toContain("test_error_handling");
  }, 90_000);
});
afterAll(async () => {
  gate.close();
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

/** Adds credentials, which the suite cannot send. */
async function addingSecret(target: string) {
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      host: new URL(target).host,
      "x-platform-mcp-service-secret": "conformance-secret",
    };
    const upstream = httpRequest(
      target + incoming.url,
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.on("error", () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => void server.close(),
  }; // a TCP server has a port
}

const suite = fileURLToPath(
  new URL(
    "../node_modules/@modelcontextprotocol/conformance/dist/index.js",
    import.meta.url,
  ),
);
/** @returns the number of failed checks, as the suite counts them, and its output. */
function run(scenario: string, url: string): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [suite, "server", "--url", url, "--scenario", scenario],
      (_, out, errors) => resolve({ code: child.exitCode ?? -1, said: out + errors }),
    );
  });
}

test.each(SCENARIOS)(
  "the conformance suite's %s passes through the gateway as it does directly",
  async (scenario) => {
    const [direct, through] = await Promise.all([
      run(scenario, tools.url),
      run(scenario, gate.url),
    ]);
    expect(direct, direct.said).toMatchObject({ code: 0 });
    expect(through, through.said).toMatchObject({ code: 0 });
    expect(through.said).toMatch(/passed/i);
  },
);
