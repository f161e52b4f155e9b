import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import { hashWords } from "../src/services/embedding/models/hashed-words.ts";
import { askBelow } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

const DIMENSIONS = 64;
let dataDir: string;
let server: Awaited<ReturnType<typeof testServerUrl>>;
let parlance: TestServer | undefined;
const current = () => {
  if (!parlance) throw new Error("no server is running");
  return parlance;
};
const ask = askBelow(current, "/api/v1");

/** A server of all three protocols. OpenAI requests about tea wait until the test continues. */
let release = () => {};
const released = new Promise<void>((done) => (release = done));
/** Whether the server of models refuses the credential. */
let refuses = false;
const models = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", async () => {
    const body = JSON.parse(text) as { input?: string[]; inputs?: string[] };
    const vectors = (body.input ?? body.inputs ?? []).map((one) =>
      hashWords(one, DIMENSIONS),
    );
    if (refuses) return void response.writeHead(401).end();
    if (request.url === "/embeddings" && text.includes("Tea")) await released;
    const answers: Record<string, unknown> = {
      "/embed": vectors,
      "/api/embed": { embeddings: vectors },
      "/embeddings": { data: vectors.map((embedding, index) => ({ index, embedding })) },
    };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(answers[request.url ?? ""]));
  });
});

/** The same server again, with another embedding model. */
async function reopen(env: Record<string, string>): Promise<void> {
  await parlance?.[Symbol.asyncDispose]();
  parlance = await startTestServer({
    DATA_DIR: dataDir,
    ...(server && { DATABASE_URL: server.url }),
    NAMESPACE: "embedding-models",
    // EMBEDDING_BASE_URL allows the server that it names
    OUTGOING_ALLOW: "",
    EMBEDDING_BASE_URL: `http://127.0.0.1:${(models.address() as AddressInfo).port}`, // it listens on a port
    EMBEDDING_DIMENSIONS: String(DIMENSIONS),
    ...env,
  });
}
async function upload(text: string, name: string): Promise<void> {
  const { id } = (await uploadFile(current(), text, name)).body;
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/documents/${id}`)).body).toMatchObject({
        status: "PROCESSED",
        error: null,
      }),
    { timeout: 60_000, interval: 200 },
  );
}
const retrieve = async (query: string, engineName: string) => {
  const { status, body } = await ask("POST", "/rag/retrieve", {
    body: { query, grade: 0, engineName },
  });
  const { results, pipeline } = body as unknown as {
    results: { content: string }[];
    pipeline: { warnings: { code: string; message: string }[] };
  };
  return { status, first: results[0]?.content, warnings: pipeline.warnings };
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-models-"));
  server = await testServerUrl();
  await new Promise<void>((done) => models.listen(0, "127.0.0.1", done));
  await reopen({ EMBEDDING_PROVIDER: "tei" });
  await upload("Tea is brewed at seventy degrees.", "tea.md");
});
afterAll(async () => {
  await parlance?.[Symbol.asyncDispose]();
  models.closeAllConnections();
  models.close();
  await server?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test("the same model at another provider reuses the existing vectors at once", async () => {
  await reopen({ EMBEDDING_PROVIDER: "ollama" });
  expect((await ask("GET", "/embed/model")).body).toMatchObject({
    model: "bge-m3",
    provider: "ollama",
    next: null,
  });
  const found = await retrieve("how is tea brewed", "default");
  expect(found).toEqual({
    status: 200,
    first: "Tea is brewed at seventy degrees.",
    warnings: [],
  });
});

test("while a new model's vectors are built, questions are answered by words and new documents are indexed", async () => {
  await reopen({ EMBEDDING_PROVIDER: "openai", EMBEDDING_MODEL: "another" });
  for (const engine of ["default", "naive", "hybrid"]) {
    const { status, first, warnings } = await retrieve("how is tea brewed", engine);
    expect([status, first]).toEqual([200, "Tea is brewed at seventy degrees."]);
    expect(warnings).toMatchObject([{ code: "searched_by_words" }]);
  }
  await upload("Coffee takes nine bars.", "coffee.md");
  // words of a new language are known a little later
  await vi.waitFor(
    async () =>
      expect((await retrieve("bars of coffee", "default")).first).toBe(
        "Coffee takes nine bars.",
      ),
    {
      timeout: 90_000,
      interval: 200,
    },
  );
  expect((await ask("GET", "/embed/model")).body).toMatchObject({
    model: "bge-m3",
    next: { model: "another" },
  });
  release();
  await vi.waitFor(
    async () =>
      expect((await ask("GET", "/embed/model")).body).toMatchObject({
        model: "another",
        next: null,
      }),
    {
      timeout: 60_000,
      interval: 200,
    },
  );
  for (const [query, first] of [
    ["how is tea brewed", "Tea is brewed at seventy degrees."],
    ["bars of coffee", "Coffee takes nine bars."],
  ] as const)
    expect(await retrieve(query, "default")).toEqual({ status: 200, first, warnings: [] });
});

test("a change that fails says why, and goes on when the cause is gone", async () => {
  refuses = true;
  await reopen({ EMBEDDING_PROVIDER: "openai", EMBEDDING_MODEL: "third" });
  await vi.waitFor(
    async () =>
      expect((await ask("GET", "/embed/model")).body).toMatchObject({
        model: "another",
        next: {
          model: "third",
          embedded: 0,
          failure: {
            code: "embedding_refused",
            message: expect.stringContaining("Check EMBEDDING_API_KEY"),
          },
        },
      }),
    { timeout: 60_000, interval: 200 },
  );
  refuses = false;
  await vi.waitFor(
    async () =>
      expect((await ask("GET", "/embed/model")).body).toMatchObject({
        model: "third",
        next: null,
      }),
    { timeout: 90_000, interval: 200 },
  );
});

test("the local embedding has the requested dimensions", async () => {
  await reopen({ EMBEDDING_PROVIDER: "local", EMBEDDING_DIMENSIONS: "256" });
  await vi.waitFor(
    async () =>
      expect((await ask("GET", "/embed/model")).body).toMatchObject({
        model: "hashed-words-v1",
        dimensions: 256,
        next: null,
      }),
    { timeout: 60_000, interval: 200 },
  );
  expect((await retrieve("how is tea brewed", "default")).first).toBe(
    "Tea is brewed at seventy degrees.",
  );
});
