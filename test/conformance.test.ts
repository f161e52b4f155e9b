import { execFile } from "node:child_process";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { startEverythingServer } from "./support/everything-server.ts";
import { startStatelessEverything } from "./support/everything-stateless.ts";

const OLDER = "2025-11-25";
const NEWER = "2026-07-28";
/** Those of both versions. */
const BOTH = [
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "server-sse-multiple-streams",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "dns-rebinding-protection",
];
const SCENARIOS: Record<string, readonly string[]> = {
  [OLDER]: [
    ...BOTH,
    "server-initialize",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "server-session-lifecycle",
    "resources-subscribe",
    "resources-unsubscribe",
    "logging-set-level",
    "ping",
    "tools-call-with-logging",
  ],
  [NEWER]: [
    ...BOTH,
    "server-stateless",
    "sep-2164-resource-not-found",
    "caching",
    "http-header-validation",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-non-tool-request",
    "input-required-result-result-type",
    "input-required-result-unsupported-methods",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ],
};

type Tools = Awaited<ReturnType<typeof startEverythingServer>>;

/** A gateway before a tool server of its version. */
async function startGateway(startTools: () => Promise<Tools>) {
  const tools = await startTools();
  const parlance: TestServer = await startTestServer({
    MCP_SERVICE_SECRET: "conformance-secret",
    MCP_SERVERS: JSON.stringify([{ name: "conformance", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  const gate = await addingSecret(parlance.url);
  await vi.waitFor(async () => {
    const list = await parlance.request("/mcp/v1/tools/list-tools", {
      token: null,
      headers: { "x-platform-mcp-service-secret": "conformance-secret" },
    });
    expect(await list.text()).toContain("test_error_handling");
  }, 90_000);
  return {
    url: gate.url,
    async [Symbol.asyncDispose]() {
      gate.close();
      await parlance[Symbol.asyncDispose]();
      await tools[Symbol.asyncDispose]();
    },
  };
}

let gates: Record<string, Awaited<ReturnType<typeof startGateway>>>;
beforeAll(async () => {
  gates = {
    [OLDER]: await startGateway(startEverythingServer),
    [NEWER]: await startGateway(() => startStatelessEverything()),
  };
});
afterAll(async () => {
  for (const gate of Object.values(gates)) await gate[Symbol.asyncDispose]();
});

/** Adds credentials, which the suite cannot send. */
async function addingSecret(target: string) {
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
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
function run(
  scenario: string,
  version: string,
  url: string,
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const asked = ["--scenario", scenario, "--spec-version", version];
    const child = execFile(
      process.execPath,
      [suite, "server", "--url", url, ...asked],
      (_, out, errors) => resolve({ code: child.exitCode ?? -1, said: out + errors }),
    );
  });
}

/**
 * Checks for which the suite waits half a second to a second and a half, which a busy machine does
 * not keep. What they check is tested in mcp-stateless.test.ts.
 */
const TIMED = [
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2575-server-sends-subscription-ack",
  "sep-2575-server-tags-subscription-id",
  "sep-2575-server-honors-notification-filter",
];

/** The checks of an output that failed; what the suite colours is in brackets, then the outcome. */
function failedChecks(said: string): string[] {
  const plain = stripVTControlCharacters(said);
  const failed = [...plain.matchAll(/\[(\S+) *\] FAILURE/g)].map(([, id = ""]) => id);
  return failed.filter((id) => !TIMED.includes(id));
}

const CASES = Object.entries(SCENARIOS).flatMap(([version, scenarios]) =>
  scenarios.map((scenario) => [scenario, version] as const),
);

test.concurrent.each(CASES)(
  "the gateway passes the conformance suite's %s of %s",
  async (scenario, version) => {
    const { code, said } = await run(scenario, version, gates[version]?.url ?? "");
    expect(failedChecks(said), said).toEqual([]);
    if (scenario !== "server-stateless") expect(code, said).toBe(0);
    expect(said).toMatch(/Passed: [1-9]/);
  },
);

async function call(method: string, params: object, session?: string) {
  const answer = await fetch(gates[OLDER]?.url ?? "", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session && { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { answer, text: await answer.text() };
}

test("a client that cannot be asked is not asked, and gets an error", async () => {
  const asked = { name: "test_elicitation", arguments: { message: "Who?" } };
  const started = await call("initialize", {
    protocolVersion: OLDER,
    capabilities: {},
    clientInfo: { name: "plain", version: "1" },
  });
  const session = started.answer.headers.get("mcp-session-id") ?? "";
  for (const { text } of [
    await call("tools/call", asked),
    await call("tools/call", asked, session),
  ]) {
    expect(text).not.toContain("elicitation/create");
    expect(text).toContain('"isError":true');
  }
});
