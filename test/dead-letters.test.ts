import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

let parlance: TestServer;
let refusing = true;
/** An embedding model that refuses every credential until told otherwise. */
const model = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", () => {
    if (refusing) return response.writeHead(401).end("{}");
    const { input } = JSON.parse(text) as { input: string[] };
    const data = input.map((_, index) => ({ index, embedding: [1, 2, 3, 4] }));
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data }));
  });
});
const ask = askBelow(() => parlance, "/api/v1");
const DEAD = "/queues/embedding_jobs/dead-letters";

beforeAll(async () => {
  await new Promise<void>((done) => model.listen(0, "127.0.0.1", done));
  parlance = await startTestServer({
    EMBEDDING_PROVIDER: "openai",
    EMBEDDING_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}`,
    EMBEDDING_DIMENSIONS: "4",
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  model.closeAllConnections();
  model.close();
});

const document = async (id: string) => (await ask("GET", `/documents/${id}`)).body;

test("dead letters can be listed with their reason and delivered again, after which the work completes", async () => {
  const { id } = (await uploadFile(parlance, "Tea is brewed.", "tea.md")).body;
  await vi.waitFor(
    async () =>
      expect(await document(id)).toMatchObject({
        status: "FAILED",
        error: { stage: "embedding", code: "embedding_refused" },
      }),
    { timeout: 60_000, interval: 200 },
  );

  const queues = (await ask("GET", "/queues")).body["queues"];
  expect(queues).toContainEqual({ name: "embedding_jobs", waiting: 0, deadLetters: 1 });
  expect(queues).toContainEqual({ name: "parsing_jobs", waiting: 0, deadLetters: 0 });
  const { body } = await ask("GET", `${DEAD}?limit=5`);
  expect(body).toMatchObject({
    items: [
      {
        id: expect.any(String),
        data: { documentId: id },
        error: expect.stringContaining("refused its credential") as string,
        code: "embedding_refused",
        tries: 1,
      },
    ],
    page: 1,
    limit: 5,
    total: 1,
  });

  expect((await ask("POST", `${DEAD}/retry`, { body: { ids: ["another"] } })).body).toEqual(
    {
      retried: 0,
    },
  );
  refusing = false;
  expect((await ask("POST", `${DEAD}/retry`, { body: {} })).body).toEqual({ retried: 1 });
  await vi.waitFor(
    async () =>
      expect(await document(id)).toMatchObject({ status: "PROCESSED", error: null }),
    {
      timeout: 60_000,
      interval: 200,
    },
  );
  expect((await ask("GET", DEAD)).body).toMatchObject({ items: [], total: 0 });
});

test("dead letters are deleted by id, or all of them", async () => {
  refusing = true;
  for (const name of ["one.md", "two.md", "three.md"]) {
    await uploadFile(parlance, `The text of ${name}.`, name);
  }
  const letters = async () => (await ask("GET", DEAD)).body["items"] as { id: string }[];
  await vi.waitFor(async () => expect(await letters()).toHaveLength(3), 60_000);
  const [first] = await letters();
  const discard = async (query: string) => (await ask("DELETE", `${DEAD}${query}`)).body;
  expect(await discard("?ids=another")).toEqual({ discarded: 0 });
  expect(await discard(`?ids=another,${first?.id}`)).toEqual({ discarded: 1 });
  expect(await letters()).not.toContainEqual(first);
  expect(await discard("")).toEqual({ discarded: 2 });
  expect(await letters()).toEqual([]);
});

test("a queue that no service has is not found, and not created", async () => {
  for (const [method, path] of [
    ["GET", "/queues/unheard/dead-letters"],
    ["POST", "/queues/unheard/dead-letters/retry"],
    ["DELETE", "/queues/unheard/dead-letters"],
  ] as const)
    expect(await ask(method, path, method === "POST" ? { body: {} } : {})).toMatchObject({
      status: 404,
      body: { code: "queue_not_found" },
    });
});
