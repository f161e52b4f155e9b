import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hashWords } from "../src/services/embedding/models/hashed-words.ts";
import { askBelow } from "./support/ask.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** What a provider's model embeds counts for a user, like what a model writes. */

const DIMENSIONS = 64;
const PASSWORD = "a long enough password";
/** What the provider says of each request; undefined: nothing. */
let tokens: number | undefined;
let asked = 0;
const models = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", () => {
    asked += 1;
    const { input } = JSON.parse(text) as { input: string[] };
    const data = input.map((one, index) => ({
      index,
      embedding: hashWords(one, DIMENSIONS),
    }));
    const usage = tokens === undefined ? {} : { usage: { prompt_tokens: tokens } };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data, ...usage }));
  });
});

let parlance: TestServer;
const ask = askBelow(() => parlance, "/api/v1");
/** What follows is of this user alone. */
let ada: { id: string; token: string; request: TestServer["request"] };
let users = 0;

beforeAll(async () => {
  await new Promise<void>((done) => models.listen(0, "127.0.0.1", done));
  const { port } = models.address() as AddressInfo; // it listens on a port
  parlance = await startTestServer();
  const config = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "key" };
  const provider = { name: "one", kind: "openai-compatible", config };
  await ask("POST", "/model-providers", { body: provider });
  const model = { id: "words", name: "words", kind: "embedding", dimensions: DIMENSIONS };
  await ask("POST", "/models", { body: model });
  const offer = { modelId: "words", providerName: "one", providerModelId: "words" };
  const pricing = { inputPerMillion: 1_000, outputPerMillion: 0 };
  const body = { id: "one/words", ...offer, pricing };
  expect((await ask("POST", "/available-models", { body })).status).toBe(201);
  const choice = { source: "catalogue", availableModelId: "one/words" };
  expect((await ask("PUT", "/embed/model", { body: choice })).status).toBe(200);
  await vi.waitFor(
    async () =>
      expect((await ask("GET", "/embed/model")).body).toMatchObject({
        model: "words",
        next: null,
      }),
    { timeout: 90_000, interval: 200 },
  );
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  models.closeAllConnections();
  models.close();
});
beforeEach(async () => {
  tokens = 7;
  users += 1;
  const email = `ada${users}@example.com`;
  const { body } = await ask("POST", "/users", {
    body: { email, name: "Ada", password: PASSWORD },
  });
  const token = await parlance.signIn(email, PASSWORD);
  ada = {
    id: String(body.id),
    token,
    request: (path, { headers, ...more } = {}) =>
      parlance.request(path, {
        ...more,
        headers: { ...headers, authorization: `Bearer ${token}` },
      }),
  };
});

const embed = (input: string | string[]) =>
  ada.request("/v1/embeddings", { body: { model: "words", input } });
const retrieve = async (engineName: string) => {
  const response = await ada.request("/api/v1/rag/retrieve", {
    body: { query: "tea", grade: 0, engineName },
  });
  return { status: response.status, body: await response.json() };
};
const isUsed = (used: object) =>
  expect
    .poll(async () => {
      const { body } = await ask("GET", "/usage?groupBy=model", { token: ada.token });
      return body.items;
    })
    .toMatchObject([{ group: "one/words", ...used }]);
const isSpent = (spent: number) =>
  expect
    .poll(async () => (await ask("GET", "/budgets/mine", { token: ada.token })).body)
    .toMatchObject({ budgets: [{ spent }] });
const limit = async (budget: { unit: string; amount: number }) => {
  const subject = { subjectType: "user", subjectId: ada.id };
  const body = { name: "Limit", ...budget, period: "day", ...subject };
  expect((await ask("POST", "/budgets", { body })).status).toBe(201);
};
const upload = async (text: string) => {
  const owner = { url: parlance.url, token: ada.token };
  const { id } = (await uploadFile(owner, text, "tea.txt")).body;
  const state = async () =>
    (await (await ada.request(`/api/v1/documents/${id}`)).json()) as {
      status: string;
      error: object | null;
    };
  const ended = expect.poll(async () => (await state()).status);
  await ended.toMatch(/^(PROCESSED|FAILED)$/);
  return state();
};

test("texts, questions and the chunks of a document count for the user, by the provider's count and price", async () => {
  expect((await embed(["tea", "coffee"])).status).toBe(200);
  await isUsed({ inputTokens: 7, outputTokens: 0, requests: 1, cost: 0.007 });

  expect(await upload("Tea has leaves.")).toMatchObject({ status: "PROCESSED" });
  await isUsed({ inputTokens: 14, requests: 2 });

  expect(await retrieve("default")).toMatchObject({
    status: 200,
    body: { totalResults: 1 },
  });
  await isUsed({ inputTokens: 21, requests: 3, cost: 0.021 });

  const metrics = await (await fetch(`${parlance.url}/metrics`)).text();
  const counted =
    /model_tokens_total\{provider="one",model="words",direction="input"[^}]*\} (\d+)/;
  expect(Number(counted.exec(metrics)?.[1])).toBeGreaterThanOrEqual(21);
});

test("what the provider does not count is estimated from the text", async () => {
  tokens = undefined;
  await embed("x".repeat(400));
  await isUsed({ inputTokens: 100, requests: 1 });
});

test("beyond a budget nothing is embedded, and everything says so", async () => {
  await limit({ unit: "tokens", amount: 7 });
  await embed("tea");
  await isSpent(7);
  const before = asked;
  const refused = await embed("coffee");
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: "budget_exceeded" } });
  const single = await ada.request("/api/v1/embed/single", { body: { text: "tea" } });
  expect(single.status).toBe(429);
  expect(await upload("Tea has leaves.")).toMatchObject({
    status: "FAILED",
    error: { code: "budget_exceeded" },
  });
  expect(asked).toBe(before);
});

test("a question beyond the budget is answered by its words where the engine knows them", async () => {
  expect(await upload("Tea has leaves.")).toMatchObject({ status: "PROCESSED" });
  // what it cost does not count for a budget that is made later
  await isUsed({ inputTokens: 7 });
  await limit({ unit: "tokens", amount: 7 });
  await embed("tea");
  await isSpent(7);
  expect(await retrieve("default")).toMatchObject({
    status: 429,
    body: { code: "budget_exceeded" },
  });
  expect(await retrieve("hybrid")).toMatchObject({
    status: 200,
    body: {
      totalResults: 1,
      pipeline: { warnings: [{ code: "searched_by_words" }] },
    },
  });
});

test("where money is used up, a model without a price still embeds", async () => {
  await limit({ unit: "money", amount: 0.007 });
  await embed("tea");
  await isSpent(0.007);
  expect((await embed("tea")).status).toBe(429);
  const price = (pricing: object | null) =>
    ask("PATCH", "/available-models/one%2Fwords", { body: { pricing } });
  expect((await price(null)).status).toBe(200);
  await expect.poll(async () => (await embed("tea")).status).toBe(200);
  expect((await price({ inputPerMillion: 1_000, outputPerMillion: 0 })).status).toBe(200);
});
