import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { crossEncoder } from "./by-cross-encoder.ts";

test.each([
  [
    "vLLM and Jina",
    {
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.2 },
      ],
    },
  ],
  [
    "a bare list",
    [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.2 },
    ],
  ],
  [
    "logits",
    {
      data: [
        { index: 0, relevance_score: -3 },
        { index: 1, relevance_score: 4 },
      ],
    },
  ],
])("the answers of rerankers are read: %s", async (_, body) => {
  await using server = await reranker(() => ({ status: 200, body: JSON.stringify(body) }));
  const answer = await server.rerank("q", ["a", "b"], new AbortController().signal);
  expect("scores" in answer && answer.scores.map(({ index }) => index)).toEqual([1, 0]);
  expect(
    "scores" in answer && answer.scores.every(({ score }) => score >= 0 && score <= 1),
  ).toBe(true);
  expect(server.asked[0]).toEqual({ query: "q", documents: ["a", "b"], top_n: 2 });
});

test("calls Text Embeddings Inference in its own format", async () => {
  const body = JSON.stringify([
    { index: 1, score: 0.9 },
    { index: 0, score: 0.2 },
  ]);
  await using server = await reranker(() => ({ status: 200, body }), "/rerank");
  for (let round = 0; round < 2; round += 1) {
    const answer = await server.rerank("q", ["a", "b"], new AbortController().signal);
    expect("scores" in answer && answer.scores.map(({ index }) => index)).toEqual([1, 0]);
  }
  expect(server.asked[1]).toEqual({ query: "q", texts: ["a", "b"], truncate: true });
});

test("calls a failing reranker twice and a refusing one once, and the answer says so", async () => {
  for (const [status, times] of [
    [503, 2],
    [400, 1],
  ] as const) {
    await using server = await reranker(() => ({ status, body: "{}" }));
    const answer = await server.rerank("q", ["a"], new AbortController().signal);
    expect(answer).toMatchObject({
      failure: { message: expect.stringContaining(String(status)) },
    });
    expect(server.asked).toHaveLength(times);
  }
  await using garbled = await reranker(() => ({ status: 200, body: "<html>" }));
  expect(await garbled.rerank("q", ["a"], new AbortController().signal)).toHaveProperty(
    "failure",
  );
});

async function reranker(
  answer: () => { status: number; body: string },
  path: "/v1/rerank" | "/rerank" = "/v1/rerank",
) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== path) return response.writeHead(404).end();
    let text = "";
    for await (const chunk of request) text += chunk;
    asked.push(JSON.parse(text));
    const { status, body } = answer();
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    rerank: crossEncoder({ fetch, url, model: undefined, apiKey: undefined }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
