import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createRests } from "../../../platform/in-turn/rests.ts";
import { restOf } from "./failure-meanings.ts";
import { modelOverHttp, type ProviderOptions } from "./over-http.ts";
import { PROTOCOLS } from "./protocols.ts";

interface ReceivedRequest {
  path: string;
  authorization: string | undefined;
  body: { input?: string[]; inputs?: string[]; model?: string; dimensions?: number };
}

/**
 * A provider over HTTP with the test's answers. Vectors have two numbers; the first is the length
 * of the text.
 */
async function provider(
  answer: (
    asked: ReceivedRequest,
    times: number,
  ) => { status?: number; headers?: Record<string, string>; body?: unknown } | "nothing",
) {
  const asked: ReceivedRequest[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    request.on("data", (data: Buffer) => (text += data.toString()));
    request.on("end", () => {
      const one = {
        path: request.url ?? "",
        authorization: request.headers.authorization,
        body: JSON.parse(text) as ReceivedRequest["body"],
      };
      asked.push(one);
      const said = answer(one, asked.length);
      if (said === "nothing") return;
      const { status = 200, headers = {}, body = {} } = said;
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return {
    asked,
    url: baseUrl,
    embed(
      texts: string[],
      { dimensions = 2, ...options }: Partial<ProviderOptions> = {},
      signal = new AbortController().signal,
    ) {
      const model = modelOverHttp({
        provider: "openai",
        protocol: "openai",
        url: baseUrl + PROTOCOLS[options.protocol ?? "openai"].path,
        headers: { authorization: "Bearer k" },
        model: "bge-m3",
        dimensions,
        maxBatchSize: 3,
        timeoutMs: 10_000,
        prefixes: { query: "query: ", passage: "" },
        outgoing: { fetch },
        ...options,
      });
      return model.embed(texts, "passage", signal);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
const vectorOf = (text: string) => [text.length, 1];
const openai = ({ body }: ReceivedRequest) => ({
  body: {
    data: (body.input ?? [])
      .map((text, index) => ({ index, embedding: vectorOf(text) }))
      .toReversed(),
  },
});
const unit = (text: string) =>
  vectorOf(text).map((value) => value / Math.hypot(...vectorOf(text)));

test.each([
  ["openai", "/embeddings", openai],
  [
    "tei",
    "/embed",
    ({ body }: ReceivedRequest) => ({ body: (body.inputs ?? []).map(vectorOf) }),
  ],
  [
    "ollama",
    "/api/embed",
    ({ body }: ReceivedRequest) => ({
      body: { embeddings: (body.input ?? []).map(vectorOf) },
    }),
  ],
] as const)(
  "%s: texts go in batches no larger than allowed, and unit vectors come back in order",
  async (protocol, path, answer) => {
    await using server = await provider(answer);
    const texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"];
    const vectors = await server.embed(texts, { protocol });
    for (const [n, text] of texts.entries())
      expect(vectors[n]?.[0]).toBeCloseTo(unit(text)[0] ?? 0, 10);
    expect(server.asked.map(({ body }) => (body.input ?? body.inputs)?.length)).toEqual([
      3, 3, 1,
    ]);
    expect(
      server.asked.every((one) => one.path === path && one.authorization === "Bearer k"),
    ).toBe(true);
  },
);

test("requests dimensions only from a model that supports it", async () => {
  await using server = await provider(openai);
  await server.embed(["a"], { model: "text-embedding-3-small" });
  await server.embed(["a"], { model: "bge-m3" });
  expect(server.asked.map(({ body }) => body.dimensions)).toEqual([2, undefined]);
});

test.each([
  ["in seconds", () => "1", 990],
  // a date has whole seconds
  ["by a date", () => new Date(Date.now() + 3_000).toUTCString(), 1_500],
])("waits as long as the server asks %s, and continues", async (_, asked, leastMs) => {
  const times: number[] = [];
  await using server = await provider((one, count) => {
    times.push(performance.now());
    return count === 1 ? { status: 429, headers: { "retry-after": asked() } } : openai(one);
  });
  expect(await server.embed(["a"])).toHaveLength(1);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(leastMs);
});

test("halves a batch that is too large for the server until it fits", async () => {
  await using server = await provider((one) =>
    (one.body.input?.length ?? 0) > 1 ? { status: 413 } : openai(one),
  );
  const vectors = await server.embed(["a", "bb", "ccc"]);
  expect(vectors.map(([first = 0]) => first.toFixed(6))).toEqual(
    ["a", "bb", "ccc"].map((text) => unit(text)[0]?.toFixed(6)),
  );
});

test.each([
  { error: { message: "This model's maximum context length is 8192 tokens.", code: null } },
  { error: "the input length exceeds the context length" },
  { object: "error", message: "The prompt is too long.", code: 400 },
])("a 400 that names the length of a text is divided: %j", async (body) => {
  await using server = await provider((one) =>
    one.body.input?.includes("long") ? { status: 400, body } : openai(one),
  );
  const refused = server.embed(["a", "long", "bb"]);
  await expect(refused).rejects.toMatchObject({ code: "embedding_too_large" });
  expect(server.asked.map(({ body: { input } }) => input)).toEqual([
    ["a", "long", "bb"],
    ["a"],
    ["long", "bb"],
    ["long"],
  ]);
});

test.each([
  [
    "another field",
    () => ({ status: 400, body: { error: "unknown field dimensions" } }),
    "embedding_failed",
    1,
  ],
  [
    "another dimension",
    () => ({ body: { data: [{ index: 0, embedding: [1, 2, 3] }] } }),
    "embedding_dimensions_wrong",
    1,
  ],
  ["too few vectors", () => ({ body: { data: [] } }), "embedding_invalid", 1],
  ["another form", () => ({ body: { vectors: [] } }), "embedding_invalid", 1],
  ["a refused key", () => ({ status: 401 }), "embedding_refused", 1],
  ["an unknown model", () => ({ status: 404 }), "embedding_failed", 1],
  ["a server that fails on", () => ({ status: 500 }), "embedding_failed", 4],
] as const)(
  "%s has its own error, and is retried only if that may help",
  async (_, answer, code, times) => {
    await using server = await provider(answer);
    await expect(server.embed(["a"])).rejects.toMatchObject({ code });
    expect(server.asked).toHaveLength(times);
  },
);

test("gives up a silent server in time, at once when the caller leaves, and names an absent one", async () => {
  await using server = await provider(() => "nothing");
  await expect(server.embed(["a"], { timeoutMs: 200 })).rejects.toMatchObject({
    code: "embedding_timeout",
  });
  const leaving = new AbortController();
  const asked = server.embed(["a"], {}, leaving.signal);
  leaving.abort(new Error("left"));
  await expect(asked).rejects.toThrow("left");
  await expect(
    server.embed(["a"], { url: "http://127.0.0.1:1", timeoutMs: 3_000 }),
  ).rejects.toMatchObject({
    code: "embedding_unreachable",
  });
});

test.each([
  "batch size is invalid, it should not be larger than 2.: input.contents",
  "BatchEmbedContentsRequest.requests: at most 2 requests can be in one batch",
  "Too many inputs. The maximum is 2",
])("learns from a refusal how many texts a server takes at once: %s", async (message) => {
  const server = await provider(({ body }) =>
    (body.input?.length ?? 0) > 2
      ? { status: 400, body: { error: { message } } }
      : {
          body: {
            data: body.input?.map((text, index) => ({
              index,
              embedding: [text.length, 1],
            })),
          },
        },
  );
  const texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"];
  const vectors = await server.embed(texts, { maxBatchSize: 5 });
  expect(vectors.map(([first = 0, second = 0]) => Math.round(first / second))).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
});

test("shows the words of a server that refuses a request", async () => {
  const server = await provider(() => ({
    status: 400,
    body: { error: { message: "The model bge-m3 is not loaded." } },
  }));
  await expect(server.embed(["a"])).rejects.toThrow("The model bge-m3 is not loaded.");
});

test("reads vectors in base64 and without places, and refuses places that are taken twice", async () => {
  const base64 = Buffer.from(new Float32Array([3, 4]).buffer).toString("base64");
  const inBase64 = await provider(() => ({
    body: { data: [{ embedding: base64 }, { embedding: [0, 1] }] },
  }));
  expect(await inBase64.embed(["a", "b"])).toEqual([
    [0.6, 0.8],
    [0, 1],
  ]);
  const twice = await provider(() => ({
    body: { data: [0, 1, 1].map((index) => ({ index, embedding: [0, 1] })) },
  }));
  await expect(twice.embed(["a", "b", "c"])).rejects.toMatchObject({
    code: "embedding_invalid",
  });
});

test("several keys take turns: one that is refused or at its limit rests, and the next is tried", async () => {
  for (const [status, code] of [
    [401, "embedding_refused"],
    [429, "embedding_rate_limited"],
  ] as const) {
    const bad = new Set(["Bearer first"]);
    await using it = await provider((one) =>
      bad.has(one.authorization ?? "")
        ? { status, headers: { "retry-after": "60" } }
        : openai(one),
    );
    const rests = createRests(restOf);
    const endpoints = ["first", "second"].map((key) => ({
      url: `${it.url}/embeddings`,
      headers: { authorization: `Bearer ${key}` },
    }));
    const keys = { endpoints, rests };
    for (let count = 0; count < 20; count += 1) await it.embed(["a"], { keys });
    const used = it.asked.map(({ authorization }) => authorization);
    // the first may be asked once, until it rests
    expect(used.filter((one) => one === "Bearer first").length).toBeLessThan(2);
    expect(used.filter((one) => one === "Bearer second")).toHaveLength(20);

    bad.add("Bearer second");
    const before = it.asked.length;
    const refused = it.embed(["a"], { keys });
    await expect(refused).rejects.toMatchObject({ code });
    const tried = it.asked.slice(before).map(({ authorization }) => authorization);
    expect(new Set(tried)).toEqual(new Set(["Bearer first", "Bearer second"]));
  }
});

test("keys that all work share the requests", async () => {
  await using it = await provider(openai);
  const endpoints = ["first", "second"].map((key) => ({
    url: `${it.url}/embeddings`,
    headers: { authorization: `Bearer ${key}` },
  }));
  const keys = { endpoints, rests: createRests(restOf) };
  for (let count = 0; count < 60; count += 1) await it.embed(["a"], { keys });
  expect(new Set(it.asked.map(({ authorization }) => authorization)).size).toBe(2);
});
