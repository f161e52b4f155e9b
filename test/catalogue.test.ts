import { afterAll, beforeAll, expect, test } from "vitest";
import { type CatalogueServer, startCatalogueServer } from "./support/catalogue-server.ts";

let server: CatalogueServer;
beforeAll(async () => {
  server = await startCatalogueServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test("a provider, a model and an entry by an administrator answer at once, and stop when one is disabled", async () => {
  const name = await server.newProvider();
  const model = await server.ask("POST", "/models", {
    id: "town/model",
    name: "Town",
    kind: "completion",
    contextWindow: 8_000,
  });
  expect(model.status).toBe(201);
  const entry = await server.ask("POST", "/available-models", {
    modelId: "town/model",
    providerName: name,
    providerModelId: "town-1",
  });
  expect(entry.body).toMatchObject({ displayName: "Town", enabled: true });
  const id = String(entry.body["id"]);
  const usable = async () => ({
    reply: (await server.send(id)).status,
    listed: (
      await server.items("/available-models/selections/completion?limit=100", server.user)
    ).some((one) => one["id"] === id),
    valid: (
      await server.ask("POST", "/available-models/validate", { ids: [id] }, server.user)
    ).body["valid"],
  });
  const yes = { reply: 200, listed: true, valid: true };
  const no = { reply: 404, listed: false, valid: false };
  expect(await usable()).toEqual(yes);
  expect(server.provider.requests.some((body) => body["model"] === "town-1")).toBe(true);
  for (const path of [
    `/model-providers/${name}`,
    "/models/town%2Fmodel",
    `/available-models/${id}`,
  ]) {
    expect((await server.ask("PATCH", path, { enabled: false })).body).toMatchObject({
      enabled: false,
    });
    expect([path, await usable()]).toEqual([path, no]);
    expect((await server.ask("PATCH", path, { enabled: true })).body).toMatchObject({
      enabled: true,
    });
    expect([path, await usable()]).toEqual([path, yes]);
  }
  expect((await server.ask("DELETE", `/available-models/${id}`)).status).toBe(204);
  expect(await usable()).toEqual(no);
  expect((await server.ask("DELETE", "/models/town%2Fmodel")).status).toBe(204);
  expect((await server.ask("DELETE", `/model-providers/${name}`)).status).toBe(204);
});

test("what a model takes as files is stated by a person, or left to its name again", async () => {
  const made = await server.ask("POST", "/models", {
    id: "town/reader",
    name: "Reader",
    kind: "completion",
    capabilities: { vision: true, visionAssumed: true, documents: true },
  });
  expect(made.body["capabilities"]).toMatchObject({ visionAssumed: true, documents: true });
  const change = async (capabilities: object) =>
    (await server.ask("PATCH", "/models/town%2Freader", { capabilities })).body[
      "capabilities"
    ];
  const assumed = { tools: false, vision: true, reasoning: false, visionAssumed: true };
  expect(await change({ documents: null, audio: false })).toEqual({
    ...assumed,
    audio: false,
  });
  expect(await change({ audio: null, vision: true })).toEqual({
    ...assumed,
    visionAssumed: false,
  });
  await server.ask("DELETE", "/models/town%2Freader");
});

test("whether a model reads images is not known until somebody says it", async () => {
  const capabilitiesOf = async (given: object) => {
    const id = `town/${crypto.randomUUID()}`;
    const { body } = await server.ask("POST", "/models", { id, name: "New", ...given });
    await server.ask("DELETE", `/models/${encodeURIComponent(id)}`);
    return body["capabilities"];
  };
  const unknown = { vision: true, visionAssumed: true };
  for (const given of [{}, { capabilities: {} }, { capabilities: { vision: null } }])
    expect(await capabilitiesOf({ kind: "completion", ...given })).toMatchObject(unknown);
  const blind = await capabilitiesOf({
    kind: "completion",
    capabilities: { vision: false },
  });
  expect(blind).toEqual({ tools: false, reasoning: false, vision: false });
  expect(await capabilitiesOf({ kind: "embedding" })).toMatchObject({ vision: false });
});

test("a misspelt default, price or capability is refused by its name, and nothing is made", async () => {
  const entry = {
    id: "misspelt",
    modelId: "town/model",
    providerName: "openai",
    providerModelId: "misspelt",
  };
  const price = { inputPerMillion: 1, outputPerMillion: 2 };
  for (const [method, path, body, named] of [
    ["POST", "/available-models", { ...entry, parameters: { topp: 1 } }, "topp"],
    ["POST", "/available-models", { ...entry, pricing: { ...price, perImg: 1 } }, "perImg"],
    ["POST", "/models", { name: "X", kind: "image", capabilities: { tool: true } }, "tool"],
    ["PATCH", "/models/town%2Fmodel", { capabilities: { visoin: true } }, "visoin"],
  ] as const) {
    const { status, body: refused } = await server.ask(method, path, body);
    expect([named, status, refused["code"]]).toEqual([named, 400, "validation_failed"]);
    expect(JSON.stringify(refused)).toContain(named);
  }
  expect((await server.ask("GET", "/available-models/misspelt")).status).toBe(404);
});

test("the order of entries decides the default model", async () => {
  await server.ask("POST", "/models", { id: "first", name: "First", kind: "completion" });
  const made = {
    id: "first",
    modelId: "first",
    providerName: "openai",
    providerModelId: "first",
    position: 0,
  };
  expect((await server.ask("POST", "/available-models", made)).body).toMatchObject({
    position: 0,
  });
  expect((await server.items("/available-models/selections/completion"))[0]?.["id"]).toBe(
    "first",
  );
  await server.ask("POST", "/models", { id: "second", name: "Second", kind: "completion" });
  await server.ask("POST", "/available-models", {
    ...made,
    id: "2",
    modelId: "second",
    providerModelId: "2",
  });
  expect(
    (await server.items("/available-models/selections/completion"))
      .slice(0, 2)
      .map((one) => one["id"]),
  ).toEqual(["2", "first"]);
  await server.ask("DELETE", "/available-models/2");
  const price = { inputPerMillion: 1, outputPerMillion: 2, currency: "EUR" };
  expect(
    (
      await server.ask("PATCH", "/available-models/first", {
        pricing: price,
        position: 1_000,
      })
    ).body,
  ).toMatchObject({
    pricing: price,
  });
  expect(
    (await server.items("/available-models/selections/completion"))[0]?.["id"],
  ).not.toBe("first");
  expect(
    (await server.ask("PATCH", "/available-models/first", { pricing: null })).body,
  ).not.toHaveProperty("pricing");
});

test("models are listed by kind, and entries by id, by provider and by model", async () => {
  await server.ask("POST", "/models", {
    id: "emb",
    name: "Embedding",
    kind: "embedding",
    dimensions: 384,
  });
  await server.ask("POST", "/models", {
    id: "off",
    name: "Off",
    kind: "completion",
    enabled: false,
  });
  await server.ask("POST", "/available-models", {
    id: "emb",
    modelId: "emb",
    providerName: "openai",
    providerModelId: "emb",
  });
  await server.ask("POST", "/available-models", {
    id: "off",
    modelId: "off",
    providerName: "openai",
    providerModelId: "off",
    enabled: false,
  });
  const ids = async (path: string) =>
    (await server.items(`${path}?limit=100`, server.user)).map((one) => one["id"]);
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
  const found = await server.items("/available-models/all?query=OPENAI%2Fgpt-t");
  expect(found.map((one) => one["id"])).toEqual(["openai/gpt-test"]);
  expect(await server.items("/available-models/all?limit=100")).toContainEqual(
    expect.objectContaining({ id: "off", usable: false, kind: "completion" }),
  );
  expect(await ids("/available-models/provider/openai")).toContain("openai/gpt-test");
  expect(await ids("/available-models/model/openai%2Fgpt-test")).toEqual([
    "openai/gpt-test",
  ]);
  expect(
    (await server.ask("GET", "/available-models/openai%2Fgpt-test", undefined, server.user))
      .status,
  ).toBe(200);
  const byIds = await server.ask(
    "POST",
    "/available-models/by-ids",
    { ids: ["off", "none", "emb", "off"] },
    server.user,
  );
  expect((byIds.body as unknown as { id: string }[]).map(({ id }) => id)).toEqual([
    "off",
    "emb",
  ]); // a list
  expect(
    (
      await server.ask(
        "POST",
        "/available-models/validate",
        { ids: ["emb", "off", "none"] },
        server.user,
      )
    ).body,
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
    expect((await server.ask("DELETE", path)).body.code).toBe("from_environment");
  expect(
    (
      await server.ask("POST", "/models", {
        id: "openai/gpt-test",
        name: "x",
        kind: "completion",
      })
    ).body.code,
  ).toBe("model_exists");
  expect(
    (
      await server.ask("POST", "/model-providers", {
        name: "openai",
        kind: "ollama",
        config: {},
      })
    ).body.code,
  ).toBe("provider_exists");
  const twice = {
    modelId: "openai/gpt-test",
    providerName: "openai",
    providerModelId: "gpt-test",
  };
  expect((await server.ask("POST", "/available-models", twice)).body.code).toBe(
    "available_model_exists",
  );
  expect(
    (await server.ask("POST", "/available-models", { ...twice, modelId: "none" })).body
      .code,
  ).toBe("model_not_found");
  expect(
    (await server.ask("POST", "/available-models", { ...twice, providerName: "none" })).body
      .code,
  ).toBe("provider_not_found");
});
