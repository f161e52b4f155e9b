import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TASKS, type TaskEvent } from "../src/platform/workers/workers.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Tests with the unchanged official client, which asks for base64 by itself. */
let client: OpenAI;
let parlance: TestServer;
const model = "hashed-words-v1";
const TEXTS = ["The cat sits on the mat.", "Ein Gebäude 🏠 für 3 Familien"];
let vectors: number[][];
beforeAll(async () => {
  parlance = await startTestServer();
  client = new OpenAI({
    baseURL: `${parlance.url}/v1`,
    apiKey: parlance.token,
    maxRetries: 0,
  });
  const answer = await parlance.request("/api/v1/embed", { body: { texts: TEXTS } });
  vectors = ((await answer.json()) as { embeddings: number[][] }).embeddings;
});
afterAll(() => parlance[Symbol.asyncDispose]());

const asFloats = (vector: readonly number[]) => [...Float32Array.from(vector)];

test("embeds texts in order, as base64 and as numbers", async () => {
  const packed = await client.embeddings.create({ model, input: TEXTS });
  expect(packed).toMatchObject({ object: "list", model });
  expect(packed.data.map(({ index }) => index)).toEqual([0, 1]);
  expect(packed.data.map(({ embedding }) => embedding)).toEqual(vectors.map(asFloats));
  expect(packed.usage.prompt_tokens).toBeGreaterThan(0);

  const input = TEXTS[1] ?? "";
  const plain = await client.embeddings.create({ model, input, encoding_format: "float" });
  expect(plain.data.map(({ embedding }) => embedding)).toEqual([vectors[1]]);
});

test("reads tokens as the texts that they stand for", async () => {
  const input = TEXTS.map((text) => encode(text));
  const all = await client.embeddings.create({ model, input });
  expect(all.data.map(({ embedding }) => embedding)).toEqual(vectors.map(asFloats));

  const one = await client.embeddings.create({ model, input: input[0] ?? [] });
  expect(one.data.map(({ embedding }) => embedding)).toEqual([asFloats(vectors[0] ?? [])]);
  await expect(client.embeddings.create({ model, input: [100_257] })).rejects.toMatchObject(
    { status: 400, code: "tokens_unknown" },
  );
});

test("says which model there is, and that its vectors are not shortened", async () => {
  const input = "a";
  const other = client.embeddings.create({ model: "text-embedding-3-small", input });
  await expect(other).rejects.toMatchObject({
    status: 404,
    code: "model_not_found",
    message: expect.stringContaining(`"${model}"`),
  });
  const short = client.embeddings.create({ model, input, dimensions: 256 });
  await expect(short).rejects.toMatchObject({ status: 400, code: "dimensions_fixed" });
  const same = await client.embeddings.create({ model, input, dimensions: 1_024 });
  expect(same.data).toHaveLength(1);
});

test("an answer holds as many vectors as it can send, and says so beyond", async () => {
  const input = Array.from({ length: 2_048 }, (_, at) => `text ${at}`);
  const all = await client.embeddings.create({ model, input });
  expect(all.data).toHaveLength(2_048);
  const floats = client.embeddings.create({ model, input, encoding_format: "float" });
  await expect(floats).rejects.toMatchObject({
    status: 413,
    code: "too_many_vectors",
    message: expect.stringContaining("base64"),
  });
  const more = client.embeddings.create({ model, input: [...input, "one more"] });
  await expect(more).rejects.toMatchObject({ status: 400 });
  const none = client.embeddings.create({ model, input: [] });
  await expect(none).rejects.toMatchObject({ status: 400 });
});

test("long texts are hashed by workers, and short ones at once", async () => {
  let started = 0;
  const note = (event: unknown) => {
    if ((event as TaskEvent).state === "started") started += 1;
  };
  TASKS.subscribe(note);
  const long = Array.from({ length: 12_000 }, (_, at) => `word${at}`).join(" ");
  const body = {
    texts: [long.slice(0, 99_000), "a", long.slice(0, 50_000), long.slice(0, 90_000)],
  };
  const answer = await parlance.request("/api/v1/embed", { body });
  const { embeddings } = (await answer.json()) as { embeddings: number[][] };
  const [single] = (await client.embeddings.create({ model, input: "a" })).data;
  TASKS.unsubscribe(note);
  expect(started).toBe(2); // 149,001 characters, then 90,000
  expect(embeddings).toHaveLength(4);
  expect(asFloats(embeddings[1] ?? [])).toEqual(single?.embedding);
});
