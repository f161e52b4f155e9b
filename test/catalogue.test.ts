import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { held } from "./support/held.ts";

const KEY = "planted-secret-provider-key";
let provider: ScriptedProvider;
let parlance: TestServer;
let user: string;
/** A provider's list of models, which records the keys it receives. */
let lister: Server;
let listerUrl: string;
const toApiKeys: (string | undefined)[] = [];
let listing: { status: number; body: string };

beforeAll(async () => {
  provider = await startScriptedProvider();
  lister = createServer((request, response) => {
    toApiKeys.push(request.headers.authorization);
    response
      .writeHead(listing.status, { "content-type": "application/json" })
      .end(listing.body);
  });
  await new Promise<void>((resolve) => lister.listen(0, "127.0.0.1", resolve));
  listerUrl = `http://127.0.0.1:${(lister.address() as AddressInfo).port}/v1`; // a TCP server has one
  parlance = await startTestServer({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
  });
  const email = "user@test.example";
  await parlance.request("/api/v1/users", {
    body: { email, name: "User", password: "a long enough password" },
  });
  user = await parlance.signIn(email, "a long enough password");
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await new Promise((resolve) => lister.close(resolve));
});

type Answer = Record<string, unknown> & { items: Record<string, unknown>[]; code?: string };
async function ask(
  method: string,
  path: string,
  body?: unknown,
  token = parlance.token,
): Promise<{ status: number; body: Answer }> {
  const response = await parlance.request(`/api/v1${path}`, {
    method,
    token,
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  expect(text).not.toContain(KEY);
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as Answer }; // as the test expects it
}
const items = async (path: string, token?: string) =>
  (await ask("GET", path, undefined, token)).body.items;
const send = async (model: string) => {
  const response = await parlance.request("/api/v1/conversation", {
    body: { content: "hello", model, stream: false },
  });
  return {
    status: response.status,
    code: ((await response.json()) as { code?: string }).code,
  };
};
let names = 0;
const newProvider = async (config: object = { baseUrl: provider.url, apiKey: KEY }) => {
  const name = `made-${(names += 1)}`;
  expect(
    (await ask("POST", "/model-providers", { name, kind: "openai-compatible", config }))
      .status,
  ).toBe(201);
  return name;
};

test("a provider, a model and an entry by an administrator answer at once, and stop when one is disabled", async () => {
  const name = await newProvider();
  const model = await ask("POST", "/models", {
    id: "town/model",
    name: "Town",
    kind: "completion",
    contextWindow: 8_000,
  });
  expect(model.status).toBe(201);
  const entry = await ask("POST", "/available-models", {
    modelId: "town/model",
    providerName: name,
    providerModelId: "town-1",
  });
  expect(entry.body).toMatchObject({ displayName: "Town", enabled: true });
  const id = String(entry.body["id"]);
  const usable = async () => ({
    reply: (await send(id)).status,
    listed: (await items("/available-models/selections/completion?limit=100", user)).some(
      (one) => one["id"] === id,
    ),
    valid: (await ask("POST", "/available-models/validate", { ids: [id] }, user)).body[
      "valid"
    ],
  });
  const yes = { reply: 200, listed: true, valid: true };
  const no = { reply: 404, listed: false, valid: false };
  expect(await usable()).toEqual(yes);
  expect(provider.requests.some((body) => body["model"] === "town-1")).toBe(true);
  for (const path of [
    `/model-providers/${name}`,
    "/models/town%2Fmodel",
    `/available-models/${id}`,
  ]) {
    expect((await ask("PATCH", path, { enabled: false })).body).toMatchObject({
      enabled: false,
    });
    expect([path, await usable()]).toEqual([path, no]);
    expect((await ask("PATCH", path, { enabled: true })).body).toMatchObject({
      enabled: true,
    });
    expect([path, await usable()]).toEqual([path, yes]);
  }
  expect((await ask("DELETE", `/available-models/${id}`)).status).toBe(204);
  expect(await usable()).toEqual(no);
  expect((await ask("DELETE", "/models/town%2Fmodel")).status).toBe(204);
  expect((await ask("DELETE", `/model-providers/${name}`)).status).toBe(204);
});

test("a changed address takes effect in the completion service at once", async () => {
  const name = await newProvider();
  await ask("POST", "/models", { id: "moving", name: "Moving", kind: "completion" });
  await ask("POST", "/available-models", {
    id: "moving",
    modelId: "moving",
    providerName: name,
    providerModelId: "m",
  });
  expect((await send("moving")).status).toBe(200);
  listing = { status: 500, body: "{}" };
  await ask("PATCH", `/model-providers/${name}`, {
    config: { baseUrl: listerUrl, apiKey: "another" },
  });
  toApiKeys.length = 0;
  expect((await send("moving")).status).toBe(502);
  expect(new Set(toApiKeys)).toEqual(new Set(["Bearer another"]));
});

test("a secret is shown as •••, is kept when that is sent back, and is sent to no other address", async () => {
  const name = await newProvider({ baseUrl: listerUrl, apiKey: KEY });
  listing = { status: 200, body: '{"data":[]}' };
  const path = `/model-providers/${name}`;
  expect((await ask("GET", path)).body["config"]).toEqual({
    baseUrl: listerUrl,
    apiKey: "•••",
  });
  expect((await ask("GET", path, undefined, user)).body["config"]).toEqual({});
  await ask("PATCH", path, {
    displayName: "New name",
    config: { baseUrl: listerUrl, apiKey: "•••" },
  });
  toApiKeys.length = 0;
  expect((await ask("POST", `${path}/test`)).body).toMatchObject({ ok: true });
  expect(toApiKeys).toEqual([`Bearer ${KEY}`]);
  const moved = await ask("PATCH", path, {
    config: { baseUrl: "https://elsewhere.example/v1", apiKey: "•••" },
  });
  expect(moved).toMatchObject({ status: 400, body: { code: "secret_required" } });
  expect(toApiKeys).toEqual([`Bearer ${KEY}`]);
  held("provider-keys");
  const masked = { name: "masked", kind: "openai", config: { apiKey: "•••" } };
  expect((await ask("POST", "/model-providers", masked)).body.code).toBe("secret_required");
  const config = await parlance.request("/api/v1/services-config/models-providers", {
    token: user,
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
    (await ask("POST", "/model-providers", { name: "bed", kind: "bedrock", config }))
      .status,
  ).toBe(201);
  const masked = {
    region: "eu-central-1",
    accessKeyId: "•••",
    secretAccessKey: "•••",
    sessionToken: "•••",
  };
  expect((await ask("GET", "/model-providers/bed")).body["config"]).toEqual(masked);
  expect((await ask("PATCH", "/model-providers/bed", { config: masked })).status).toBe(200);
  const listed = await fetch(
    `${parlance.internalUrl}/api/v1/services-config/models-providers`,
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
  expect((await ask("DELETE", "/model-providers/bed")).status).toBe(204);
});

test("testing a provider on demand lists its models, or says what is wrong", async () => {
  const name = await newProvider({ baseUrl: listerUrl, apiKey: KEY });
  await ask("POST", "/models", { id: "tested", name: "Tested", kind: "completion" });
  await ask("POST", "/available-models", {
    modelId: "tested",
    providerName: name,
    providerModelId: "have",
  });
  const probe = async () => (await ask("POST", `/model-providers/${name}/test`)).body;
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
    [200, "[]", "provider_invalid"],
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
  const nowhere = await newProvider({ baseUrl: "http://127.0.0.1:1/v1" });
  expect(
    (await ask("POST", `/model-providers/${nowhere}/test`)).body["error"],
  ).toMatchObject({
    code: "provider_unreachable",
  });
});

test("a config is tested before it is saved, and nothing is stored", async () => {
  const config = { baseUrl: listerUrl, apiKey: KEY };
  const probe = (body: object) => ask("POST", "/model-providers/test", body);
  const before = await items("/model-providers/all?limit=100");
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
    (await ask("POST", "/model-providers/test", { kind: "ollama" }, user)).status,
  ).toBe(403);
  expect(await items("/model-providers/all?limit=100")).toEqual(before);
});

test("a test of a changed config uses a saved secret for the same kind and address only", async () => {
  const name = await newProvider({ baseUrl: listerUrl, apiKey: KEY });
  const probe = (kind: string, config: object) =>
    ask("POST", "/model-providers/test", {
      kind,
      name,
      config: { ...config, apiKey: "•••" },
    });
  listing = { status: 200, body: '{"data":[]}' };
  toApiKeys.length = 0;
  const same = await probe("openai-compatible", { baseUrl: listerUrl });
  expect(same.body).toMatchObject({ ok: true });
  expect(toApiKeys).toEqual([`Bearer ${KEY}`]);
  const elsewhere = listerUrl.replace("127.0.0.1", "127.0.0.2");
  for (const [kind, config] of [
    ["openai-compatible", { baseUrl: elsewhere }],
    ["openai", { baseUrl: listerUrl }],
    ["anthropic", {}],
  ] as const)
    expect((await probe(kind, config)).body.code).toBe("secret_required");
  expect(toApiKeys).toEqual([`Bearer ${KEY}`]);
  held("provider-keys");
});

test("a config is checked by its kind's schema, which is served as JSON Schema without a secret's value", async () => {
  const schema = (
    await ask("GET", "/model-providers/openai/config-schema", undefined, user)
  ).body;
  expect(schema).toMatchObject({
    type: "object",
    title: "OpenAI",
    required: ["apiKey"],
    properties: { apiKey: { type: "string", writeOnly: true, format: "password" } },
  });
  expect(
    (await ask("GET", "/model-providers/bedrock/config-schema")).body["required"],
  ).toContain("region");
  const { body } = await ask("GET", "/model-providers/kinds");
  expect((body as unknown as { kind: string }[]).map(({ kind }) => kind)).toContain(
    "anthropic",
  ); // a list
  for (const [config, path] of [
    [{}, "body.config.apiKey"],
    [{ apiKey: "k", baseUrl: "file:///etc/passwd" }, "body.config.baseUrl"],
    [{ apiKey: 7 }, "body.config.apiKey"],
  ] as const) {
    const wrong = await ask("POST", "/model-providers", {
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
  expect((await ask("POST", "/model-providers", inside)).body.code).toBe(
    "address_not_allowed",
  );
  for (const name of ["all", "kinds", "UPPER", "a/b", ""])
    expect([
      name,
      (await ask("POST", "/model-providers", { name, kind: "ollama", config: {} })).status,
    ]).toEqual([name, 400]);
});

test("the order of entries decides the default model", async () => {
  await ask("POST", "/models", { id: "first", name: "First", kind: "completion" });
  const made = {
    id: "first",
    modelId: "first",
    providerName: "openai",
    providerModelId: "first",
    position: 0,
  };
  expect((await ask("POST", "/available-models", made)).body).toMatchObject({
    position: 0,
  });
  expect((await items("/available-models/selections/completion"))[0]?.["id"]).toBe("first");
  await ask("POST", "/models", { id: "second", name: "Second", kind: "completion" });
  await ask("POST", "/available-models", {
    ...made,
    id: "2",
    modelId: "second",
    providerModelId: "2",
  });
  expect(
    (await items("/available-models/selections/completion"))
      .slice(0, 2)
      .map((one) => one["id"]),
  ).toEqual(["2", "first"]);
  await ask("DELETE", "/available-models/2");
  const price = { inputPerMillion: 1, outputPerMillion: 2, currency: "EUR" };
  expect(
    (await ask("PATCH", "/available-models/first", { pricing: price, position: 1_000 }))
      .body,
  ).toMatchObject({
    pricing: price,
  });
  expect((await items("/available-models/selections/completion"))[0]?.["id"]).not.toBe(
    "first",
  );
  expect(
    (await ask("PATCH", "/available-models/first", { pricing: null })).body,
  ).not.toHaveProperty("pricing");
});

test("models are listed by kind, and entries by id, by provider and by model", async () => {
  await ask("POST", "/models", {
    id: "emb",
    name: "Embedding",
    kind: "embedding",
    dimensions: 384,
  });
  await ask("POST", "/models", {
    id: "off",
    name: "Off",
    kind: "completion",
    enabled: false,
  });
  await ask("POST", "/available-models", {
    id: "emb",
    modelId: "emb",
    providerName: "openai",
    providerModelId: "emb",
  });
  await ask("POST", "/available-models", {
    id: "off",
    modelId: "off",
    providerName: "openai",
    providerModelId: "off",
    enabled: false,
  });
  const ids = async (path: string) =>
    (await items(`${path}?limit=100`, user)).map((one) => one["id"]);
  expect(await ids("/models")).not.toContain("off");
  expect(await ids("/models/all")).toEqual(
    expect.arrayContaining(["off", "emb", "openai/gpt-test"]),
  );
  expect(await ids("/models/embedding")).toEqual(["emb"]);
  expect(await ids("/models/completion")).not.toContain("emb");
  expect(await ids("/available-models/selections/embedding")).toEqual(["emb"]);
  expect(await ids("/available-models/selections")).toEqual(
    expect.arrayContaining(["emb", "openai/gpt-test"]),
  );
  expect(await ids("/available-models/selections/completion")).not.toContain("emb");
  expect(await ids("/available-models")).not.toContain("off");
  expect(await ids("/available-models/all")).toContain("off");
  const found = await items("/available-models/all?query=OPENAI%2Fgpt-t");
  expect(found.map((one) => one["id"])).toEqual(["openai/gpt-test"]);
  expect(await items("/available-models/all?limit=100")).toContainEqual(
    expect.objectContaining({ id: "off", usable: false, kind: "completion" }),
  );
  expect(await ids("/available-models/provider/openai")).toContain("openai/gpt-test");
  expect(await ids("/available-models/model/openai%2Fgpt-test")).toEqual([
    "openai/gpt-test",
  ]);
  expect(
    (await ask("GET", "/available-models/openai%2Fgpt-test", undefined, user)).status,
  ).toBe(200);
  const byIds = await ask(
    "POST",
    "/available-models/by-ids",
    { ids: ["off", "none", "emb", "off"] },
    user,
  );
  expect((byIds.body as unknown as { id: string }[]).map(({ id }) => id)).toEqual([
    "off",
    "emb",
  ]); // a list
  expect(
    (await ask("POST", "/available-models/validate", { ids: ["emb", "off", "none"] }, user))
      .body,
  ).toEqual({
    valid: false,
    results: [
      { id: "emb", valid: true },
      { id: "off", valid: false, reason: "disabled" },
      { id: "none", valid: false, reason: "absent" },
    ],
  });
});

test("entries of the environment can be disabled permanently but not deleted, and duplicates are refused", async () => {
  for (const path of [
    "/model-providers/openai",
    "/models/openai%2Fgpt-test",
    "/available-models/openai%2Fgpt-test",
  ])
    expect((await ask("DELETE", path)).body.code).toBe("from_environment");
  expect(
    (await ask("POST", "/models", { id: "openai/gpt-test", name: "x", kind: "completion" }))
      .body.code,
  ).toBe("model_exists");
  expect(
    (await ask("POST", "/model-providers", { name: "openai", kind: "ollama", config: {} }))
      .body.code,
  ).toBe("provider_exists");
  const twice = {
    modelId: "openai/gpt-test",
    providerName: "openai",
    providerModelId: "gpt-test",
  };
  expect((await ask("POST", "/available-models", twice)).body.code).toBe(
    "available_model_exists",
  );
  expect(
    (await ask("POST", "/available-models", { ...twice, modelId: "none" })).body.code,
  ).toBe("model_not_found");
  expect(
    (await ask("POST", "/available-models", { ...twice, providerName: "none" })).body.code,
  ).toBe("provider_not_found");
});

test("each endpoint refuses anonymous callers, wrong bodies, unknown ids, wrong pages, and changes by users who are not administrators", async () => {
  const model = { name: "x", kind: "completion" };
  const entry = {
    modelId: "openai/gpt-test",
    providerName: "openai",
    providerModelId: "x",
  };
  const lists = [
    "/models",
    "/models/all",
    "/models/completion",
    "/models/embedding",
    "/model-providers",
    "/model-providers/all",
  ].concat(
    [
      "",
      "/all",
      "/selections",
      "/selections/completion",
      "/selections/embedding",
      "/provider/openai",
      "/model/x",
    ].map((path) => `/available-models${path}`),
  );
  for (const path of lists) {
    expect([path, (await ask("GET", path, undefined, user)).status]).toEqual([path, 200]);
    expect(
      (await ask("GET", `${path}?limit=1&page=2`, undefined, user)).body,
    ).toMatchObject({
      page: 2,
      limit: 1,
    });
    for (const query of ["limit=0", "limit=101", "page=0", "page=x"])
      expect([
        path,
        query,
        (await ask("GET", `${path}?${query}`, undefined, user)).status,
      ]).toEqual([path, query, 400]);
  }
  const changes: [string, string, unknown, unknown][] = [
    ["POST", "/models", model, { name: "x", kind: "none" }],
    ["PATCH", "/models/absent", { name: "x" }, { name: "" }],
    ["DELETE", "/models/absent", undefined, undefined],
    [
      "POST",
      "/model-providers",
      { name: "x", kind: "ollama", config: {} },
      { name: "x", kind: "offline" },
    ],
    ["POST", "/model-providers/absent/test", undefined, undefined],
    ["PATCH", "/model-providers/absent", { enabled: true }, { enabled: "yes" }],
    ["DELETE", "/model-providers/absent", undefined, undefined],
    ["POST", "/available-models", entry, { ...entry, pricing: { inputPerMillion: -1 } }],
    ["PATCH", "/available-models/absent", { enabled: true }, { position: -1 }],
    ["DELETE", "/available-models/absent", undefined, undefined],
  ];
  for (const [method, path, right, wrong] of changes) {
    expect([method, path, (await ask(method, path, right, user)).status]).toEqual([
      method,
      path,
      403,
    ]);
    expect([
      method,
      path,
      (await parlance.request(`/api/v1${path}`, { method, token: null, body: right }))
        .status,
    ]).toEqual([method, path, 401]);
    if (wrong !== undefined)
      expect([method, path, (await ask(method, path, wrong)).status]).toEqual([
        method,
        path,
        400,
      ]);
    if (path.includes("absent"))
      expect([method, path, (await ask(method, path, right)).status]).toEqual([
        method,
        path,
        404,
      ]);
  }
  for (const path of [
    "/models/absent",
    "/model-providers/absent",
    "/model-providers/absent/config-schema",
    "/available-models/absent",
  ])
    expect([path, (await ask("GET", path, undefined, user)).status]).toEqual([path, 404]);
  for (const path of ["/available-models/validate", "/available-models/by-ids"]) {
    for (const ids of [[], "x", Array.from({ length: 101 }, (_, n) => String(n))])
      expect((await ask("POST", path, { ids }, user)).status).toBe(400);
  }
});
