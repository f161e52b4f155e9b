import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

let parlance: TestServer;
const ids: string[] = [];
const ask = askBelow(() => parlance, "/api/v1");

/**
 * A cross-encoder on this machine that ranks passages about coffee high, and those about tea low.
 */
const reranker = createServer((request, response) => {
  let text = "";
  request.on("data", (part: Buffer) => (text += part.toString()));
  request.on("end", () => {
    const { documents } = JSON.parse(text) as { documents: string[] };
    const scoreOf = (passage: string) =>
      passage.includes("coffee") ? 0.9 : passage.includes("tea") ? 0.1 : 0.6;
    const results = documents.map((passage, index) => ({
      index,
      relevance_score: scoreOf(passage),
    }));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ results }));
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => reranker.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(reranker.address() as AddressInfo).port}`; // it listens on a port
  // RERANKER_SERVICE_URL allows the host that it names
  parlance = await startTestServer({ RERANKER_SERVICE_URL: url, OUTGOING_ALLOW: "" });
  for (const drink of ["tea", "coffee", "cocoa"]) {
    const { id } = (
      await uploadFile(parlance, `The kitchen has a machine for ${drink}.`, `${drink}.md`)
    ).body;
    const events = await eventsOf(await parlance.request(`/api/v1/documents/${id}/events`));
    expect(events.at(-1)?.data).toMatchObject({ status: "PROCESSED" });
    ids.push(id);
  }
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  reranker.closeAllConnections();
  reranker.close();
});

test("a reranker on a private address keeps the requested number of passages that are good enough", async () => {
  const body = {
    query: "machine in the kitchen",
    grade: 0,
    rerank: { enabled: true, strategy: "bge", topK: 2, score: 0.5 },
  };
  expect((await ask("POST", "/rag/retrieve", { body })).body).toMatchObject({
    results: [
      { metadata: { fileName: "coffee.md" }, score: 0.9 },
      { metadata: { fileName: "cocoa.md" }, score: 0.6 },
    ],
    pipeline: {
      reranked: true,
      rerankStrategy: "bge",
      candidatesConsidered: 3,
      warnings: [],
    },
  });
});

test.each([
  [{ topK: 1 }, ["coffee.md"]],
  [{ score: 0.5 }, ["coffee.md", "cocoa.md"]],
])("an agent answers from what its reranker keeps with %j", async (limits, names) => {
  const rerank = { enabled: true, strategy: "bge", ...limits };
  const retrieval = { docIds: ids, rerank };
  const agent = await ask("POST", "/agent", {
    body: { name: "Cook", type: "cortex", retrieval },
  });
  expect(agent.body["retrieval"]).toMatchObject({ rerank });
  const content = "Which machine does the kitchen have?";
  const events = await eventsOf(
    await parlance.request("/api/v1/conversation", {
      body: { content, agentId: agent.body.id },
    }),
  );
  const sources = events.find(({ event }) => event === "sources")?.data["sources"] as
    | { fileName: string }[]
    | undefined;
  expect(sources?.map(({ fileName }) => fileName)).toEqual(names);
});
