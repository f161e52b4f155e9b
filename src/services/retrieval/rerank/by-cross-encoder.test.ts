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

test.each([
  ["an empty list", { results: [] }],
  [
    "no usable score",
    {
      results: [
        { index: 0, score: null },
        { index: 1, score: "high" },
      ],
    },
  ],
  ["infinite scores", '{"results": [{"index": 0, "score": 1e999}]}'],
  [
    "indexes of no passage",
    {
      results: [
        { index: 7, score: 0.5 },
        { index: -1, score: 0.5 },
      ],
    },
  ],
])("says that %s ranks nothing", async (_, body) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  await using server = await reranker(() => ({ status: 200, body: text }));
  const answer = await server.rerank("q", ["a", "b"], new AbortController().signal);
  expect(answer).toMatchObject({ failure: { code: "reranker_empty" } });
});

test("an entry that cannot be read costs that entry only, and is said", async () => {
  const results = [{ index: 1, relevance_score: 0.9 }, { index: 0, score: null }, null];
  await using server = await reranker(() => ({
    status: 200,
    body: JSON.stringify({ results }),
  }));
  const answer = await server.rerank("q", ["a", "b"], new AbortController().signal);
  expect(answer).toMatchObject({
    scores: [{ index: 1, score: 0.9 }, { index: 0 }],
    warning: { code: "reranker_incomplete", params: { judged: 1, total: 2 } },
  });
});

test("learns from a refusal how many passages a server takes, and shows its words", async () => {
  const sizes: number[] = [];
  await using server = await reranker((asked) => {
    const { documents } = asked as { documents: string[] };
    sizes.push(documents.length);
    if (documents.length > 2)
      return {
        status: 422,
        body: '{"error": "batch size 5 > maximum allowed batch size 2"}',
      };
    const results = documents.map((text, index) => ({ index, score: Number(text) / 10 }));
    return { status: 200, body: JSON.stringify({ results }) };
  });
  const rank = () =>
    server.rerank("q", ["1", "5", "3", "2", "4"], new AbortController().signal);
  const order = { scores: [1, 4, 2, 3, 0].map((index) => ({ index })) };
  expect(await rank()).toMatchObject(order);
  expect(sizes).toEqual([5, 3, 2, 2, 1]);
  expect(await rank()).toMatchObject(order);
  expect(sizes).toHaveLength(8);

  await using refusing = await reranker(() => ({
    status: 400,
    body: '{"detail": "no such model"}',
  }));
  expect(await refusing.rerank("q", ["a"], new AbortController().signal)).toMatchObject({
    failure: { message: expect.stringContaining("no such model") },
  });
});

async function reranker(
  answer: (asked: unknown) => { status: number; body: string },
  path: "/v1/rerank" | "/rerank" = "/v1/rerank",
) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== path) return response.writeHead(404).end();
    let text = "";
    for await (const chunk of request) text += chunk;
    asked.push(JSON.parse(text));
    const { status, body } = answer(asked.at(-1));
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
