import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { type RunningServer, startServer } from "../src/server/compose.ts";
import type { ServedName } from "../src/server/services.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

/** Separate services call each other on PORT with shared secrets; INTERNAL_PORT is off. */
const SECRET = "a-secret-between-services";
const secrets = {
  SERVICE_SECRET: SECRET,
  COMPLETION_SERVICE_SECRET: SECRET,
  MCP_SERVICE_SECRET: SECRET,
  USER_SERVICE_SECRET: SECRET,
};

let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
let completion: RunningServer;
let agent: RunningServer;
const folders: string[] = [];

beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({ weather: { run: () => text("sunny") } });
  parlance = await startTestServer({
    ...secrets,
    INTERNAL_PORT: "0",
    OPENAI_API_KEY: "sk-of-the-core",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
  });
  // its providers and their keys come only from the core
  completion = await serve("completion", { LLM_CORE_URL: parlance.url });
  agent = await serve("agent", {
    COMPLETION_SERVICE_URL: completion.url,
    MCP_SERVICE_URL: parlance.url,
    LLM_CORE_URL: parlance.url,
    USER_SERVICE_URL: parlance.url,
  });
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await completion[Symbol.asyncDispose]();
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function serve(
  name: ServedName,
  peers: Record<string, string>,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), `parlance-${name}-`));
  folders.push(folder);
  const own = {
    PORT: "0",
    INTERNAL_PORT: "0",
    DATA_DIR: folder,
    OUTGOING_ALLOW: "127.0.0.0/8",
  };
  const env = { ...secrets, ...own, ...peers, SHUTDOWN_TIMEOUT: "2000" };
  return startServer({ services: [name], log: silentLog(), env });
}

const run = (headers: Record<string, string>) =>
  fetch(`${agent.url}/api/v1/agent/run`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      model: "openai/gpt-test",
      messages: [{ role: "user", content: "Weather?" }],
      tools: ["weather"],
      stream: false,
    }),
  });

test("a run uses the agent loop, the completion service, the core and the tool gateway", async () => {
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "user"
      ? { toolCalls: [{ name: "weather", arguments: {} }] }
      : { text: ["It is sunny."] },
  );
  const asService = { "x-platform-service-secret": SECRET };
  await vi.waitFor(async () => {
    const answer = (await (await run(asService)).json()) as { toolCalls: unknown[] };
    expect(answer).toMatchObject({
      content: "It is sunny.",
      toolCalls: [{ content: "sunny" }],
    });
  }, 90_000);
  const asUser = await run({ authorization: `Bearer ${parlance.token}` });
  expect([asUser.status, await asUser.json()]).toMatchObject([
    200,
    { content: "It is sunny." },
  ]);
});

test("a request without a credential or with a wrong secret is refused", async () => {
  expect((await run({})).status).toBe(401);
  expect((await run({ "x-platform-service-secret": `${SECRET}.` })).status).toBe(401);
});
