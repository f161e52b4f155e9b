import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { hashWords } from "../src/services/embedding/models/hashed-words.ts";
import { askBelow, newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

const DIMENSIONS = 64;
const LARGE = 3_000;
let parlance: TestServer;
const ask = askBelow(() => parlance, "/api/v1");

/** Vectors of 64 numbers; the model `slow` answers once the test lets it. */
let release = () => {};
const released = new Promise<void>((done) => (release = done));
const asked: string[] = [];
const models = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", async () => {
    const { model, input } = JSON.parse(text) as { model: string; input: string[] };
    if (request.headers.authorization === "Bearer key-of-vectors")
      asked.push(...input.map((one) => `${model} ${one}`));
    if (request.headers.authorization !== "Bearer key-of-vectors" || model === "broken")
      return void response.writeHead(401).end();
    if (model === "slow" && text.includes("Tea")) await released;
    const size = model === "large" ? LARGE : DIMENSIONS;
    const data = input.map((one, index) => ({ index, embedding: hashWords(one, size) }));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data }));
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => models.listen(0, "127.0.0.1", done));
  const { port } = models.address() as AddressInfo; // it listens on a port
  parlance = await startTestServer();
  await ask("POST", "/model-providers", {
    body: {
      name: "vectors",
      kind: "openai-compatible",
      config: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "key-of-vectors" },
    },
  });
  for (const id of ["slow", "quick", "large", "broken", "e5-small"]) {
    await ask("POST", "/models", { body: { id, name: id, kind: "embedding" } });
    await ask("POST", "/available-models", {
      body: {
        id: `vectors/${id}`,
        modelId: id,
        providerName: "vectors",
        providerModelId: id,
      },
    });
  }
  const { id } = (await uploadFile(parlance, "Tea is brewed at seventy degrees.", "tea.md"))
    .body;
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/documents/${id}`)).body.status).toBe("PROCESSED"),
    { timeout: 60_000, interval: 200 },
  );
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  models.closeAllConnections();
  models.close();
});

const fromCatalogue = (id: string) => ({
  source: "catalogue",
  availableModelId: `vectors/${id}`,
});
const choose = (body: object) => ask("PUT", "/embed/model", { body });
const untilModel = (expected: object) =>
  vi.waitFor(
    async () => expect((await ask("GET", "/embed/model")).body).toMatchObject(expected),
    { timeout: 60_000, interval: 200 },
  );

test("the candidates are the model of the environment and those of the catalogue", async () => {
  const { body } = await ask("GET", "/embed/model/candidates");
  expect(body.total).toBe(6);
  expect(body.items).toMatchObject([
    { source: "environment", model: "hashed-words-v1", dimensions: 1024, use: "current" },
    {
      source: "catalogue",
      availableModelId: "vectors/slow",
      dimensions: null,
      use: null,
    },
    { availableModelId: "vectors/quick" },
    { availableModelId: "vectors/large" },
    { availableModelId: "vectors/broken" },
    { availableModelId: "vectors/e5-small" },
  ]);
  const second = await ask("GET", "/embed/model/candidates?limit=2&page=2");
  expect(second.body.items.map((one) => one["model"])).toEqual(["quick", "large"]);
});

test("a test says dimensions, time and cost, or why the model does not answer", async () => {
  const tested = (id: string) =>
    ask("POST", "/embed/model/test", { body: fromCatalogue(id) });
  expect((await tested("quick")).body).toMatchObject({
    ok: true,
    model: "quick",
    dimensions: DIMENSIONS,
    latencyMs: expect.any(Number),
    chunks: 1,
  });
  expect((await tested("broken")).body).toMatchObject({
    ok: false,
    error: { code: "embedding_refused" },
  });
  expect((await tested("large")).body).toMatchObject({
    ok: false,
    error: {
      code: "embedding_dimensions_too_many",
      params: { dimensions: LARGE, max: 2_000 },
    },
  });
  const own = await ask("POST", "/embed/model/test", { body: { source: "environment" } });
  expect(own.body).toMatchObject({ ok: true, dimensions: 1024, chunks: 0 });
  expect((await tested("absent")).body.code).toBe("embedding_model_not_found");
});

test("a model that does not answer is not chosen, and only administrators choose", async () => {
  expect((await choose(fromCatalogue("broken"))).body.code).toBe("embedding_refused");
  expect((await choose(fromCatalogue("large"))).status).toBe(400);
  expect((await choose(fromCatalogue("absent"))).status).toBe(404);
  expect((await ask("GET", "/embed/model")).body["next"]).toBeNull();
  const { token } = await newPerson(parlance, "member");
  const body = fromCatalogue("quick");
  expect((await ask("PUT", "/embed/model", { token, body })).status).toBe(403);
});

test("a chosen model is built while the former one answers, waits when it is disabled, and can be cancelled", async () => {
  expect((await choose(fromCatalogue("slow"))).body).toMatchObject({
    model: "hashed-words-v1",
    next: {
      model: "slow",
      dimensions: DIMENSIONS,
      reachable: true,
      embedded: 0,
      chunks: 1,
    },
  });
  const disable = (enabled: boolean) =>
    ask("PATCH", "/available-models/vectors%2Fslow", { body: { enabled } });
  expect((await disable(false)).status).toBe(200);
  await untilModel({
    model: "hashed-words-v1",
    reachable: true,
    next: { reachable: false },
  });
  await disable(true);
  await untilModel({ next: { reachable: true } });
  const cancelled = await ask("DELETE", "/embed/model/next");
  expect(cancelled.body).toMatchObject({ model: "hashed-words-v1", next: null });
  expect((await ask("DELETE", "/embed/model/next")).status).toBe(409);
  release();
});

test("the choice stays after a restart, and searches ask the chosen model", async () => {
  await choose(fromCatalogue("quick"));
  await untilModel({ model: "quick", next: null, availableModelId: "vectors/quick" });
  await parlance.restart();
  await untilModel({ model: "quick", dimensions: DIMENSIONS, next: null, reachable: true });
  const body = { query: "how is tea brewed", grade: 0, engineName: "naive" };
  const found = await ask("POST", "/rag/retrieve", { body });
  expect(found.body).toMatchObject({
    results: [{ content: "Tea is brewed at seventy degrees." }],
    pipeline: { warnings: [] },
  });
});

test("a model of the catalogue gets the prefixes of its name, or those that are stated", async () => {
  const search = async () => {
    const body = { query: "how is tea brewed", grade: 0, engineName: "naive" };
    await ask("POST", "/rag/retrieve", { body });
  };
  await choose(fromCatalogue("e5-small"));
  await untilModel({ model: "e5-small", next: null });
  await search();
  expect(asked).toContain("e5-small passage: Tea is brewed at seventy degrees.");
  expect(asked).toContain("e5-small query: how is tea brewed");
  const stated = { queryPrefix: "ask: ", passagePrefix: "" };
  const changed = await ask("PATCH", "/models/e5-small", { body: stated });
  expect(changed.body).toMatchObject(stated);
  await vi.waitFor(
    async () => {
      await search();
      expect(asked).toContain("e5-small ask: how is tea brewed");
    },
    { timeout: 90_000, interval: 200 },
  );
  const cleared = { queryPrefix: null, passagePrefix: null };
  const { body } = await ask("PATCH", "/models/e5-small", { body: cleared });
  expect([body["queryPrefix"], body["passagePrefix"]]).toEqual([undefined, undefined]);
  expect(asked.filter((one) => one.startsWith("quick "))).not.toContainEqual(
    expect.stringContaining("passage: "),
  );
});

test("the audit log names the model of every choice", async () => {
  const { body } = await ask("GET", "/audit?resourceType=model&limit=100");
  const detailsOf = (path: string) =>
    body.items
      .map(({ details }) => details as object)
      .filter((one) => "path" in one && one.path === path);
  const chosen = detailsOf("/api/v1/embed/model");
  expect(chosen).toContainEqual(
    expect.objectContaining({
      source: "catalogue",
      availableModelId: "vectors/quick",
      chosen: "quick",
    }),
  );
  expect(chosen.every((one) => "chosen" in one && one.chosen !== "")).toBe(true);
  expect(detailsOf("/api/v1/embed/model/next")).toContainEqual(
    expect.objectContaining({ cancelled: "slow" }),
  );
});
