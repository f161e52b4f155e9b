import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

let parlance: TestServer;
const ask = askBelow(() => parlance, "/api/v1");

/** An embedding model that accepts one text at a time. Texts about tea wait for the test. */
const asked: string[] = [];
let released = Promise.resolve();
function hold(): () => void {
  let release = () => {};
  released = new Promise((done) => (release = done));
  return release;
}
const model = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", async () => {
    const { input } = JSON.parse(text) as { input: string[] };
    asked.push(...input);
    if (input.some((one) => one.includes("tea"))) await released;
    const data = input.map((_, index) => ({ index, embedding: [1, 2, 3, 4] }));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data }));
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => model.listen(0, "127.0.0.1", done));
  parlance = await startTestServer({
    EMBEDDING_PROVIDER: "openai",
    EMBEDDING_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}`, // it listens on a port
    EMBEDDING_DIMENSIONS: "4",
    EMBEDDING_BATCH_SIZE: "1",
    EMBEDDING_PREFETCH: "1",
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  model.closeAllConnections();
  model.close();
});

async function upload(text: string, name: string): Promise<string> {
  return (await uploadFile(parlance, text, name)).body.id;
}
const until = (id: string, status: string) =>
  vi.waitFor(
    async () =>
      expect((await ask("GET", `/documents/${id}`)).body).toMatchObject({ status }),
    {
      timeout: 60_000,
      interval: 100,
    },
  );
const retrieve = async (query: string) => {
  const { body } = await ask("POST", "/rag/retrieve", {
    body: { query, grade: 0, engineName: "hybrid" },
  });
  return (body["results"] as unknown as { metadata: { fileName: string } }[]).map(
    ({ metadata }) => metadata.fileName,
  );
};

test("a stopped document is not embedded further, and never found", async () => {
  const release = hold();
  const paragraph = "There is a lot to be said about tea. ".repeat(60);
  const id = await upload(
    Array.from({ length: 10 }, () => paragraph).join("\n\n"),
    "tea.md",
  );
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 60_000, interval: 50 });
  await until(id, "EMBEDDING");
  expect((await ask("POST", `/documents/${id}/stop`)).body).toMatchObject({
    status: "FAILED",
    error: { code: "stopped" },
  });
  release();
  // one at a time: when the next is done, the worker has left the first
  await until(await upload("Coffee takes nine bars.", "coffee.md"), "PROCESSED");
  expect(asked.filter((one) => one.includes("tea"))).toHaveLength(1);
  expect((await ask("GET", `/documents/${id}/chunks`)).body.total).toBe(0);
  expect((await ask("GET", `/embed/${id}`)).body).toMatchObject({
    status: "failed",
    chunks: 0,
    error: { code: "stopped" },
  });
  expect(await retrieve("tea coffee bars")).toEqual(["coffee.md"]);

  await ask("POST", `/documents/${id}/reprocess`, { body: {} });
  await until(id, "PROCESSED");
  expect(await retrieve("said about tea")).toContain("tea.md");
});

const process = (id: string, text: string) =>
  ask("POST", "/process", { body: { documentId: id, text } });

test("a submitted text makes a failed document PROCESSED; a blank one is refused without effect", async () => {
  const id = await upload(" \n ", "cocoa.md");
  await until(id, "FAILED");
  for (const blank of [" \n\f\n ", "\u200b"]) {
    const refused = await process(id, blank);
    expect([refused.status, refused.body.code]).toEqual([422, "no_text_found"]);
  }
  expect((await ask("GET", `/documents/${id}`)).body).toMatchObject({
    status: "FAILED",
    indexing: null,
  });
  expect((await process(id, "Cocoa is stirred for long.")).body).toMatchObject({
    status: "completed",
    chunks: 1,
    embedded: 1,
  });
  const processed = {
    status: "PROCESSED",
    error: null,
    indexing: { chunks: 1, embedded: 1, dimensions: 4 },
  };
  expect((await ask("GET", `/documents/${id}`)).body).toMatchObject(processed);
  expect((await process(id, " ")).status).toBe(422);
  expect((await ask("GET", `/documents/${id}`)).body).toMatchObject(processed);
  expect(await retrieve("cocoa stirred")).toContain("cocoa.md");
});

test("a submitted text replaces the attempt in progress", async () => {
  const release = hold();
  const id = await upload("Iced tea needs ice.", "iced.md");
  await until(id, "EMBEDDING");
  expect((await process(id, "Lemonade needs lemons.")).body).toMatchObject({
    status: "completed",
    chunks: 1,
  });
  release();
  await until(await upload("Milk is frothed.", "milk.md"), "PROCESSED");
  expect((await ask("GET", `/documents/${id}/chunks`)).body.items).toMatchObject([
    { content: "Lemonade needs lemons." },
  ]);
  expect((await ask("GET", `/documents/${id}`)).body).toMatchObject({
    status: "PROCESSED",
  });
});
