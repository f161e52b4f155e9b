import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

const SECRET = "metrics-test-secret";
let parlance: TestServer;
let provider: ScriptedProvider;
let tools: ToolServer;
beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    weather: { run: ({ city }) => text(`Sunny in ${String(city)}`) },
    broken: { run: () => ({ ...text("no"), isError: true }) },
  });
  parlance = await startTestServer({
    ...settingsOf(provider),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
    MCP_SERVERS_POLL: "200",
    MCP_SERVICE_SECRET: SECRET,
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** The value of a series, by its name and labels as they are written. */
async function valueOf(series: string): Promise<number | undefined> {
  const metrics = await (await fetch(`${parlance.url}/metrics`)).text();
  const line = metrics.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
const LABELS = `provider="openai",model="gpt-test"`;
const ask = () =>
  parlance.request("/v1/chat/completions", {
    body: { model: "openai/gpt-test", messages: [{ role: "user", content: "Hello" }] },
  });

test("tokens, replies and what they cost are counted, without a word of a user", async () => {
  const listed = await parlance.request("/api/v1/available-models");
  const { items } = (await listed.json()) as { items: { id: string }[] };
  const { id = "" } = items.find((one) => one.id.includes("gpt-test")) ?? {};
  const priced = await parlance.request(
    `/api/v1/available-models/${encodeURIComponent(id)}`,
    {
      method: "PATCH",
      body: { pricing: { inputPerMillion: 2, outputPerMillion: 10, currency: "EUR" } },
    },
  );
  expect(priced.status).toBe(200);
  provider.answer(() => ({
    text: ["Hello"],
    usage: { inputTokens: 1_000, outputTokens: 50, cacheWriteInputTokens: 400 },
  }));
  expect((await ask()).status).toBe(200);
  expect(await valueOf(`model_tokens_total{${LABELS},direction="input"}`)).toBe(1_000);
  expect(await valueOf(`model_tokens_total{${LABELS},direction="output"}`)).toBe(50);
  const written = `model_tokens_total{${LABELS},direction="cache_write_input"}`;
  expect(await valueOf(written)).toBe(400);
  expect(
    await valueOf(`model_reply_duration_seconds_count{${LABELS},finish_reason="stop"}`),
  ).toBe(1);
  await vi.waitFor(
    async () =>
      expect(await valueOf(`model_cost_total{${LABELS},currency="EUR"}`)).toBeCloseTo(
        0.0025,
        10,
      ),
    60_000,
  );
});

test("failures of a provider are counted by their code", async () => {
  provider.answer(() => ({ status: 401 }));
  expect((await ask()).status).toBe(502);
  const metrics = await (await fetch(`${parlance.url}/metrics`)).text();
  expect(metrics).toMatch(
    /^model_provider_errors_total\{provider="openai",code="provider_[a-z_]+"\} 1$/m,
  );
});

test("calls at tool servers are counted by how they end", async () => {
  const call = (name: string) =>
    parlance.request("/mcp/v1/tools/call-tool", {
      token: null,
      headers: { "x-platform-mcp-service-secret": SECRET },
      body: { name, arguments: { city: "Bonn" } },
    });
  await vi.waitFor(async () => expect((await call("weather")).status).toBe(200), 60_000);
  await call("broken");
  const count = (outcome: string) =>
    valueOf(`tool_call_duration_seconds_count{server="town",outcome="${outcome}"}`);
  expect(await count("ok")).toBeGreaterThan(0);
  expect(await count("tool_error")).toBe(1);
});

test("what ends with _total is a counter, as Prometheus expects, and each metric says what it is", async () => {
  const metrics = await (await fetch(`${parlance.url}/metrics`)).text();
  const types = [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  expect(types.length).toBeGreaterThan(20);
  for (const [, name = "", type] of types) {
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    expect(metrics).toMatch(new RegExp(`^# HELP ${name} \\S`, "m"));
  }
});

test("each queue shows what waits in it", async () => {
  expect(await valueOf(`queue_messages{queue="parsing_jobs"}`)).toBe(0);
  expect(await valueOf(`queue_dead_letters{queue="transactions"}`)).toBe(0);
});
