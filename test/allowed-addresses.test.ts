import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findLocalServers } from "../src/services/core/catalogue/find-local-servers.ts";
import { openEndpoints } from "../src/platform/outgoing/open-endpoints.ts";
import { createLog } from "../src/platform/telemetry/log.ts";
import { held } from "./support/held.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";

let provider: ScriptedProvider;
let tools: ToolServer;
let server: TestServer;
beforeAll(async () => {
  provider = await startScriptedProvider();
  provider.answer(() => ({ text: ["From nearby"] }));
  tools = await startToolServer({ greet: { run: () => text("hello") } });
  server = await startTestServer({ OUTGOING_ALLOW: "" });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function ask(method: string, path: string, body?: unknown) {
  const response = await server.request(`/api/v1${path}`, {
    method,
    ...(body ? { body } : {}),
  });
  const answer: unknown = response.status === 204 ? undefined : await response.json();
  return { status: response.status, body: answer as Record<string, unknown> };
}
const addressOf = (url: string) => new URL(url).host;
const allow = (address: string) => ask("POST", "/allowed-addresses", { address });
const revoke = (address: string) =>
  ask("DELETE", `/allowed-addresses/${encodeURIComponent(address)}`);
async function complete(model: string, content: unknown) {
  const body = { model, messages: [{ role: "user", content }] };
  const response = await server.request("/v1/chat/completions", { method: "POST", body });
  return { status: response.status, text: await response.text() };
}

test("a provider on a private address answers once an administrator allows it, until it is revoked", async () => {
  const probe = {
    kind: "openai-compatible",
    config: { baseUrl: provider.url, apiKey: "k" },
  };
  const target = addressOf(provider.url);
  const refused = await ask("POST", "/model-providers/test", probe);
  expect(refused).toMatchObject({
    status: 400,
    body: { code: "address_not_allowed", params: { target } },
  });
  expect((await allow(target)).status).toBe(201);
  expect((await ask("POST", "/model-providers", { name: "near", ...probe })).status).toBe(
    201,
  );
  await ask("POST", "/models", { id: "near", name: "Near", kind: "completion" });
  await ask("POST", "/available-models", {
    id: "near",
    modelId: "near",
    providerName: "near",
    providerModelId: "m",
  });
  expect((await complete("near", "Hi")).text).toContain("From nearby");
  const listed = await ask("GET", "/allowed-addresses");
  expect(listed.body).toMatchObject({ total: 1, items: [{ address: target }] });
  expect((await revoke(target)).status).toBe(204);
  expect((await complete("near", "Hi")).text).toContain("address_not_allowed");
  expect((await revoke(target)).status).toBe(404);
});

test("an allowed address is open to providers alone: nothing that users name reaches it", async () => {
  let hits = 0;
  const images = createServer((_, response) => {
    hits += 1;
    response.writeHead(200, { "content-type": "image/png" }).end("x");
  });
  await new Promise<void>((resolve) => images.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(images.address() as AddressInfo).port}`; // a TCP server has one
  await allow(address);
  await allow(addressOf(provider.url));
  await ask("POST", "/model-providers", {
    name: "seeing",
    kind: "ollama",
    config: { baseUrl: new URL(provider.url).origin },
  });
  await ask("POST", "/models", {
    id: "seeing",
    name: "Seeing",
    kind: "completion",
    capabilities: { vision: true },
  });
  await ask("POST", "/available-models", {
    id: "seeing",
    modelId: "seeing",
    providerName: "seeing",
    providerModelId: "m",
  });
  const image = { type: "image_url", image_url: { url: `http://${address}/a.png` } };
  await complete("seeing", [{ type: "text", text: "What is it?" }, image]);
  await ask("POST", "/web/read", { url: `http://${address}/` });
  await ask("POST", "/model-providers/test", {
    kind: "openai-compatible",
    config: { baseUrl: `http://${address}` },
  });
  // the test of the provider alone
  expect(hits).toBe(1);
  await new Promise((resolve) => images.close(resolve));
});

test("a tool server on a private address is called once it is allowed", async () => {
  const probe = { url: tools.url };
  const test = async () =>
    (await server.request("/mcp/v1/servers/test", { method: "POST", body: probe })).json();
  expect(await test()).toMatchObject({ ok: false, error: { code: "address_not_allowed" } });
  await allow(addressOf(tools.url));
  expect(await test()).toMatchObject({ ok: true, tools: [{ name: "greet" }] });
  await revoke(addressOf(tools.url));
  expect(await test()).toMatchObject({ ok: false });
});

test.each([
  ["169.254.169.254:80", "address_never_allowed"],
  ["[fd00:ec2::254]:80", "address_never_allowed"],
  ["metadata.google.internal:80", "address_never_allowed"],
  ["100.100.100.200:80", "address_never_allowed"],
  ["8.8.8.8:443", "address_public"],
  ["127.0.0.1", "address_malformed"],
  ["127.0.0.1:99999", "address_malformed"],
  ["a b:80", "address_malformed"],
  ["user@127.0.0.1:80", "address_malformed"],
  ["127.0.0.1/x:80", "address_malformed"],
])("%s is never allowed", async (address, code) => {
  expect(await allow(address)).toMatchObject({
    status: 400,
    body: { code },
  });
});

test("this server itself is never allowed, by whatever name", async () => {
  held("outgoing-addresses");
  const { port } = new URL(server.url);
  expect(await allow(`127.0.0.1:${port}`)).toMatchObject({ status: 400 });
  await allow(`localhost:${port}`);
  const test = {
    kind: "openai-compatible",
    config: { baseUrl: `http://localhost:${port}/v1` },
  };
  expect((await ask("POST", "/model-providers/test", test)).body).toMatchObject({
    ok: false,
    error: { code: "address_not_allowed" },
  });
  await revoke(`localhost:${port}`);
});

test("where the operator does not want it, no address can be allowed", async () => {
  await using strict = await startTestServer({
    OUTGOING_ALLOW: "",
    OUTGOING_GRANTS: "false",
  });
  const answer = await strict.request("/api/v1/allowed-addresses", {
    method: "POST",
    body: { address: "127.0.0.1:11434" },
  });
  expect(await answer.json()).toMatchObject({ code: "address_grants_off" });
});

test("servers of models on this machine are found where their ports answer with models", async () => {
  const answers = (body: string) => createServer((_, response) => response.end(body));
  const ollama = answers('{"models":[{"name":"llama3.2"},{"name":"bge-m3"}]}');
  const other = answers("<html>something else</html>");
  const open = async (one: typeof ollama) => {
    await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
    return (one.address() as AddressInfo).port; // a TCP server has one
  };
  const ports = [await open(ollama), await open(other), 1];
  await using endpoints = openEndpoints({
    allow: [],
    own: () => [],
    read: async () => [],
    log: createLog({ level: "error", name: "test" }),
  });
  const usual = ports.map(
    (port) => ({ name: "Ollama", kind: "ollama", port, path: "" }) as const,
  );
  const address = `127.0.0.1:${ports[0]}`;
  expect(await findLocalServers(endpoints, new AbortController().signal, usual)).toEqual([
    {
      name: "Ollama",
      kind: "ollama",
      baseUrl: `http://${address}`,
      address,
      allowed: false,
      models: 2,
    },
  ]);
  for (const one of [ollama, other]) await new Promise((resolve) => one.close(resolve));
});
