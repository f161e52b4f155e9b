import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

let listed: object[] | undefined;
let asked = 0;
let parlance: TestServer;
const server = createServer((request, response) => {
  asked += 1;
  if (request.url !== "/v1/models" || !listed)
    return void response.writeHead(500).end("no");
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", data: listed }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  listed = [
    { id: "Qwen/Qwen3-32B", max_model_len: 40_960 },
    { id: "BAAI/bge-m3" },
    { id: "BAAI/bge-reranker-v2-m3" },
    { id: "x".repeat(400) },
  ];
  parlance = await startTestServer({
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    MODEL_LIST_REFRESH: "100",
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const selections = async (kind: string) => {
  const path = `/api/v1/available-models/selections/${kind}`;
  const { items } = (await (await parlance.request(path)).json()) as {
    items: { id: string; providerName: string; contextWindow?: number }[];
  };
  return items.filter(({ providerName }) => providerName === "openai");
};
const ids = async (kind: string) => (await selections(kind)).map(({ id }) => id);

test("the address of a server is enough: its models are listed by kind, and added and removed as it changes", async () => {
  await vi.waitFor(async () => {
    expect(await selections("completion")).toMatchObject([
      { id: "openai/Qwen/Qwen3-32B", contextWindow: 40_960 },
    ]);
  }, 90_000);
  expect(await ids("embedding")).toEqual(["openai/BAAI/bge-m3"]);

  listed = [{ id: "another" }];
  await vi.waitFor(
    async () => expect(await ids("completion")).toEqual(["openai/another"]),
    90_000,
  );
  expect(await ids("embedding")).toEqual([]);

  // while it does not answer, the last list stays
  listed = undefined;
  const before = asked;
  await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 2), 90_000);
  expect(await ids("completion")).toEqual(["openai/another"]);
});

test("OPENAI_MODELS offers only the models it names, by kind too", async () => {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await using narrowed = await startTestServer({
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_MODELS: "Qwen/Qwen3-32B,BAAI/bge-m3,BAAI/bge-reranker-v2-m3",
    MODEL_LIST_REFRESH: "100",
  });
  const offered = async (kind: string) => {
    const path = `/api/v1/available-models/selections/${kind}`;
    const { items } = (await (await narrowed.request(path)).json()) as {
      items: { id: string; providerName: string }[];
    };
    return items.flatMap(({ id, providerName }) => (providerName === "openai" ? [id] : []));
  };
  expect(await offered("completion")).toEqual(["openai/Qwen/Qwen3-32B"]);
  expect(await offered("embedding")).toEqual(["openai/BAAI/bge-m3"]);
});
