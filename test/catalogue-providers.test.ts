import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type CatalogueServer,
  KEY,
  startCatalogueServer,
} from "./support/catalogue-server.ts";
import { held } from "./support/held.ts";

let server: CatalogueServer;
/** A provider's list of models, which records the keys it receives. */
let lister: Server;
let listerUrl: string;
const toApiKeys: (string | undefined)[] = [];
let listing: { status: number; body: string };
beforeAll(async () => {
  lister = createServer((request, response) => {
    toApiKeys.push(request.headers.authorization);
    response
      .writeHead(listing.status, { "content-type": "application/json" })
      .end(listing.body);
  });
  await new Promise<void>((resolve) => lister.listen(0, "127.0.0.1", resolve));
  listerUrl = `http://127.0.0.1:${(lister.address() as AddressInfo).port}/v1`; // a TCP server has one
  server = await startCatalogueServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await new Promise((resolve) => lister.close(resolve));
});

/** The keys that came, but that of the first test: its models are listed in the background. */
const sent = () => new Set(toApiKeys.filter((key) => key !== "Bearer another"));

test("a changed address takes effect in the completion service at once", async () => {
  const name = await server.newProvider();
  await server.ask("POST", "/models", { id: "moving", name: "Moving", kind: "completion" });
  await server.ask("POST", "/available-models", {
    id: "moving",
    modelId: "moving",
    providerName: name,
    providerModelId: "m",
  });
  expect((await server.send("moving")).status).toBe(200);
  listing = { status: 500, body: "{}" };
  await server.ask("PATCH", `/model-providers/${name}`, {
    config: { baseUrl: listerUrl, apiKey: "another" },
  });
  toApiKeys.length = 0;
  expect((await server.send("moving")).status).toBe(502);
  expect(new Set(toApiKeys)).toEqual(new Set(["Bearer another"]));
});

test("a secret is shown as •••, is kept when that is sent back, and is sent to no other address", async () => {
  const name = await server.newProvider({ baseUrl: listerUrl, apiKey: KEY });
  listing = { status: 200, body: '{"data":[]}' };
  const path = `/model-providers/${name}`;
  expect((await server.ask("GET", path)).body["config"]).toEqual({
    baseUrl: listerUrl,
    apiKey: "•••",
  });
  expect((await server.ask("GET", path, undefined, server.user)).body["config"]).toEqual(
    {},
  );
  await server.ask("PATCH", path, {
    displayName: "New name",
    config: { baseUrl: listerUrl, apiKey: "•••" },
  });
  toApiKeys.length = 0;
  expect((await server.ask("POST", `${path}/test`)).body).toMatchObject({ ok: true });
  expect(sent()).toEqual(new Set([`Bearer ${KEY}`]));
  const moved = await server.ask("PATCH", path, {
    config: { baseUrl: "https://elsewhere.example/v1", apiKey: "•••" },
  });
  expect(moved).toMatchObject({ status: 400, body: { code: "secret_required" } });
  expect(sent()).toEqual(new Set([`Bearer ${KEY}`]));
  held("provider-keys");
  const masked = { name: "masked", kind: "openai", config: { apiKey: "•••" } };
  expect((await server.ask("POST", "/model-providers", masked)).body.code).toBe(
    "secret_required",
  );
  const config = await server.parlance.request("/api/v1/services-config/models-providers", {
    token: server.user,
  });
  expect(await config.text()).not.toContain(KEY);
});

test("no part of a key is shown in plain text, including Bedrock's key id", async () => {
  const keys = {
    accessKeyId: "AKIAPLANTEDKEYID",
    secretAccessKey: "planted-secret-key",
    sessionToken: "planted-token",
  };
  const config = { region: "eu-central-1", ...keys };
  expect(
    (await server.ask("POST", "/model-providers", { name: "bed", kind: "bedrock", config }))
      .status,
  ).toBe(201);
  const masked = {
    region: "eu-central-1",
    accessKeyId: "•••",
    secretAccessKey: "•••",
    sessionToken: "•••",
  };
  expect((await server.ask("GET", "/model-providers/bed")).body["config"]).toEqual(masked);
  expect(
    (await server.ask("PATCH", "/model-providers/bed", { config: masked })).status,
  ).toBe(200);
  const listed = await fetch(
    `${server.parlance.internalUrl}/api/v1/services-config/models-providers`,
  );
  const { providers } = (await listed.json()) as {
    providers: { name: string; config: object }[];
  };
  const configured = { configured: true };
  expect(providers.find(({ name }) => name === "bed")?.config).toEqual({
    region: "eu-central-1",
    accessKeyId: configured,
    secretAccessKey: configured,
    sessionToken: configured,
  });
  expect((await server.ask("DELETE", "/model-providers/bed")).status).toBe(204);
});

test("testing a provider on demand lists its models, or says what is wrong", async () => {
  const name = await server.newProvider({ baseUrl: listerUrl, apiKey: KEY });
  await server.ask("POST", "/models", { id: "tested", name: "Tested", kind: "completion" });
  await server.ask("POST", "/available-models", {
    modelId: "tested",
    providerName: name,
    providerModelId: "have",
  });
  const probe = async () =>
    (await server.ask("POST", `/model-providers/${name}/test`)).body;
  listing = {
    status: 200,
    body: JSON.stringify({ data: [{ id: "have" }, { id: "new", display_name: "New" }] }),
  };
  expect(await probe()).toMatchObject({
    ok: true,
    models: [
      { providerModelId: "have", displayName: "have", added: true },
      { providerModelId: "new", displayName: "New", added: false },
    ],
  });
  for (const [status, body, code] of [
    [401, "{}", "provider_refused_key"],
    [404, "{}", "provider_address_wrong"],
    [302, "{}", "provider_redirects"],
    [500, "planted upstream words", "provider_failed"],
    [200, "<html>", "provider_invalid"],
    [200, "{}", "provider_invalid"],
  ] as const) {
    listing = { status, body };
    const answer = await probe();
    expect([status, answer["ok"], answer["error"]]).toMatchObject([
      status,
      false,
      { code },
    ]);
    expect(JSON.stringify(answer)).not.toContain("planted upstream words");
  }
  const nowhere = await server.newProvider({ baseUrl: "http://127.0.0.1:1/v1" });
  expect(
    (await server.ask("POST", `/model-providers/${nowhere}/test`)).body["error"],
  ).toMatchObject({
    code: "provider_unreachable",
  });
});

test("a config is tested before it is saved, and nothing is stored", async () => {
  const config = { baseUrl: listerUrl, apiKey: KEY };
  const probe = (body: object) => server.ask("POST", "/model-providers/test", body);
  const before = await server.items("/model-providers/all?limit=100");
  listing = { status: 200, body: JSON.stringify({ data: [{ id: "new" }] }) };
  const good = await probe({ kind: "openai-compatible", config });
  expect(good).toMatchObject({
    status: 200,
    body: { ok: true, latencyMs: expect.any(Number), models: [{ providerModelId: "new" }] },
  });
  listing = { status: 401, body: `planted upstream words ${KEY}` };
  const refused = await probe({ kind: "openai-compatible", config });
  expect(refused).toMatchObject({
    status: 200,
    body: { ok: false, error: { code: "provider_refused_key" }, models: [] },
  });
  expect(JSON.stringify(refused)).not.toContain("planted upstream words");
  for (const [body, code] of [
    [{ kind: "openai", config: {} }, "validation_failed"],
    [{ kind: "offline", config: {} }, "validation_failed"],
    [
      { kind: "ollama", config: { baseUrl: "http://169.254.169.254/" } },
      "address_not_allowed",
    ],
    [{ kind: "ollama", config: {}, name: "absent" }, "provider_not_found"],
  ] as const)
    expect([body, (await probe(body)).body.code]).toEqual([body, code]);
  expect(
    (await server.ask("POST", "/model-providers/test", { kind: "ollama" }, server.user))
      .status,
  ).toBe(403);
  expect(await server.items("/model-providers/all?limit=100")).toEqual(before);
});

test("a test of a changed config uses a saved secret for the same kind and address only", async () => {
  const name = await server.newProvider({ baseUrl: listerUrl, apiKey: KEY });
  const probe = (kind: string, config: object) =>
    server.ask("POST", "/model-providers/test", {
      kind,
      name,
      config: { ...config, apiKey: "•••" },
    });
  listing = { status: 200, body: '{"data":[]}' };
  toApiKeys.length = 0;
  const same = await probe("openai-compatible", { baseUrl: listerUrl });
  expect(same.body).toMatchObject({ ok: true });
  expect(sent()).toEqual(new Set([`Bearer ${KEY}`]));
  const elsewhere = listerUrl.replace("127.0.0.1", "127.0.0.2");
  for (const [kind, config] of [
    ["openai-compatible", { baseUrl: elsewhere }],
    ["openai", { baseUrl: listerUrl }],
    ["anthropic", {}],
  ] as const)
    expect((await probe(kind, config)).body.code).toBe("secret_required");
  expect(sent()).toEqual(new Set([`Bearer ${KEY}`]));
  held("provider-keys");
});

test("a config is checked by its kind's schema, which is served as JSON Schema without a secret's value", async () => {
  const schema = (
    await server.ask("GET", "/model-providers/openai/config-schema", undefined, server.user)
  ).body;
  expect(schema).toMatchObject({
    type: "object",
    title: "OpenAI",
    required: ["apiKey"],
    properties: { apiKey: { type: "string", writeOnly: true, format: "password" } },
  });
  expect(
    (await server.ask("GET", "/model-providers/bedrock/config-schema")).body["required"],
  ).toContain("region");
  const { body } = await server.ask("GET", "/model-providers/kinds");
  expect((body as unknown as { kind: string }[]).map(({ kind }) => kind)).toContain(
    "anthropic",
  ); // a list
  for (const [config, path] of [
    [{}, "body.config.apiKey"],
    [{ apiKey: "k", baseUrl: "file:///etc/passwd" }, "body.config.baseUrl"],
    [{ apiKey: 7 }, "body.config.apiKey"],
    [{ apiKey: "k", baseURL: "https://models.example/v1" }, "body.config.baseURL"],
  ] as const) {
    const wrong = await server.ask("POST", "/model-providers", {
      name: "wrong",
      kind: "openai",
      config,
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: { code: "validation_failed", details: [{ path }] },
    });
  }
  const inside = {
    name: "inside",
    kind: "openai",
    config: { apiKey: "k", baseUrl: "http://169.254.169.254/" },
  };
  expect((await server.ask("POST", "/model-providers", inside)).body.code).toBe(
    "address_not_allowed",
  );
  for (const name of ["all", "kinds", "UPPER", "a/b", ""])
    expect([
      name,
      (await server.ask("POST", "/model-providers", { name, kind: "ollama", config: {} }))
        .status,
    ]).toEqual([name, 400]);
});
