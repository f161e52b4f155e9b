import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sql, { raw } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { held } from "../../../test/support/held.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import type { CompletionRequest } from "../completion/contract.ts";
import { type RetrieveRequest, SimilaritySearch } from "./contract-retrieve.ts";
import { crossEncoder } from "./rerank/by-cross-encoder.ts";
import { languageModelJudge } from "./rerank/by-language-model.ts";
import type { Reranker } from "./rerank/reranker.ts";
import { measureScope } from "./extent.ts";
import { retrieve } from "./retrieve.ts";
import { inScope, type Scope } from "./scope.ts";
import { createTermStatistics } from "./term-statistics.ts";
import { searchVectors } from "./vector-search.ts";

const SCOPED_QUERIES = Number(process.env["RETRIEVAL_QUERIES"] ?? 500);

/** Vectors that are easy to reckon with: one dimension for each word. */
const WORDS = ["tea", "harbour", "lamp", "storm", "cat", "rope", "whale", "island"];
const vectorOf = (text: string) => {
  const vector = WORDS.map((word) => (text.toLowerCase().includes(word) ? 1 : 0.01));
  // a text without any of them is like no other
  return vector.includes(1)
    ? vector
    : vector.map((value, index) => (index === text.length % 8 ? -1 : value));
};

let db: Database;
const documents: Record<string, string> = {};
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "documents",
    folder: new URL("../documents/migrations/", import.meta.url),
    log: silentLog(),
  });
  await db.query(
    sql`insert into documents.embedding_models (name, provider, dimensions, state, index_type) values ('words', 'local', 8, 'active', 'vector')`,
  );
  await store("ada", "tea.md", [
    "Green tea is picked in April.",
    "Black tea is dried longer.",
    "The cat sleeps on the rope.",
  ]);
  await store(
    "ada",
    "hafen.md",
    ["Der Hafen liegt an der Elbe. Im Hafen liegen Schiffe.", "Die Lampen leuchten."],
    "german",
  );
  await store("bob", "secret.md", ["The lamp of the harbour broke in the storm."]);
  await store("ada", "old.md", ["An old tea set."], "english", "building");
});
afterAll(() => db[Symbol.asyncDispose]());

async function store(
  ownerId: string,
  fileName: string,
  contents: string[],
  configuration = "english",
  state = "current",
) {
  const [id, setId] = [uuidv7(), uuidv7()];
  documents[fileName] = id;
  await db.query(sql`insert into documents.documents (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status)
    values (${id}, ${ownerId}, 'default', ${fileName}, 'text/markdown', 1, ${id}, ${id}, 'PROCESSED')`);
  await db.query(sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
    values (${setId}, ${id}, ${state}, '', ${contents.length}, ${[configuration]})`);
  for (const [index, content] of contents.entries()) {
    const chunkId = uuidv7();
    await db.query(sql`insert into documents.chunks (id, set_id, document_id, chunk_index, content, page_number, start_offset, end_offset, token_count, search, search_length)
      values (${chunkId}, ${setId}, ${id}, ${index}, ${content}, ${index + 1}, 0, ${content.length}, 5, to_tsvector(${configuration}::regconfig, ${content}), 5)`);
    await db.query(sql`insert into documents.embeddings (chunk_id, model_id, set_id, embedding)
      select ${chunkId}, id, ${setId}, ${JSON.stringify(vectorOf(content))}::vector from documents.embedding_models where name = 'words'`);
  }
}

const nobody: Reranker = async () => ({ failure: "nobody" });
const ask = (
  request: Partial<RetrieveRequest> & { window?: number },
  scope: Scope = { kind: "all" },
  rerank = nobody,
  model: string | (() => string) = "words",
) =>
  retrieve(
    {
      db,
      statistics: createTermStatistics(db),
      rerank,
      localProvider: "local",
      async embedding(asked) {
        const { text } = (await asked.json()) as { text: string };
        const name = typeof model === "string" ? model : model();
        return Response.json({ embedding: vectorOf(text), model: name, dimensions: 8 });
      },
    },
    {
      query: "tea",
      grade: 0,
      similarityTopK: 5,
      engineName: "default",
      window: 0,
      ...request,
    },
    scope,
    new AbortController().signal,
  );
const names = ({ results }: Awaited<ReturnType<typeof ask>>) =>
  results.map(({ metadata }) => `${metadata.fileName} ${metadata.chunkIndex}`);

test("the default engine returns the nearest chunks, without an index in progress, and the answer describes its pipeline", async () => {
  const answer = await ask({});
  expect(names(answer).slice(0, 2).toSorted()).toEqual(["tea.md 0", "tea.md 1"]);
  expect(names(answer)).not.toContain("old.md 0");
  expect(answer).toMatchObject({
    query: "tea",
    totalResults: answer.results.length,
    engineUsed: "advanced",
    pipeline: {
      reranked: false,
      rerankStrategy: null,
      candidatesConsidered: answer.results.length,
      warnings: [],
    },
  });
  expect(answer.results[0]).toMatchObject({
    metadata: {
      documentId: documents["tea.md"],
      contentType: "text",
      pageNumber: expect.any(Number),
    },
  });
  expect(answer.results[0]?.score).toBeGreaterThan(0.9);
});

test("the naive engine keeps sufficiently similar chunks, and does not rerank", async () => {
  const answer = await ask({
    engineName: "naive",
    grade: 0.5,
    rerank: { enabled: true, strategy: "bge" },
  });
  expect(names(answer).toSorted()).toEqual(["tea.md 0", "tea.md 1"]);
  expect(answer).toMatchObject({ engineUsed: "naive", pipeline: { reranked: false } });
});

test("the hybrid engine finds by words what vectors miss, with each language's word forms", async () => {
  const answer = await ask({ engineName: "hybrid", query: "Schiff im Häfen", grade: 0.5 });
  expect(names(answer)[0]).toBe("hafen.md 0");
  expect(answer.results[0]?.score).toBeGreaterThan(0);
  expect(
    (await ask({ engineName: "hybrid", query: "lamps", grade: 0.99 }, { kind: "all" }))
      .results.length,
  ).toBeGreaterThan(0);
  expect(
    (await ask({ engineName: "hybrid", query: "typewriter", grade: 0.99 })).results,
  ).toEqual([]);
});

test("finds nothing outside the scope, by vectors or by words", async () => {
  const scopes: Scope[] = [
    { kind: "documents", ids: [documents["tea.md"] ?? ""] },
    { kind: "visible", ownerId: "ada", shared: [] },
    { kind: "documents", ids: [] },
  ];
  for (const scope of scopes)
    for (const engineName of ["default", "naive", "hybrid"] as const)
      expect(
        names(await ask({ query: "lamp storm harbour", engineName }, scope)).join(),
      ).not.toContain("secret");
  const shared: Scope = {
    kind: "visible",
    ownerId: "ada",
    shared: [documents["secret.md"] ?? ""],
  };
  expect(names(await ask({ query: "storm", engineName: "hybrid" }, shared))[0]).toBe(
    "secret.md 0",
  );
});

test("ten users find only passages of documents that are theirs or shared", async () => {
  const people = Array.from({ length: 10 }, (_, n) => `person-${n}`);
  const owned = new Map<string, string>();
  for (const owner of people)
    for (const [n, word] of WORDS.entries()) {
      const fileName = `${owner}-${n}.md`;
      await store(
        owner,
        fileName,
        [`A ${word} of ${owner}.`, `Beside the ${word}.`],
        "simple",
      );
      owned.set(documents[fileName] ?? "", owner);
    }
  const ids = [...owned.keys()];
  const engines = ["default", "naive", "hybrid"] as const;
  for (let n = 0; n < SCOPED_QUERIES; n += 1) {
    const ownerId = people[n % people.length] ?? "";
    const shared = ids.filter((_, at) => (at * 7 + n) % 11 === 0);
    const query = `${WORDS[n % WORDS.length]} ${WORDS[(n * 3 + 1) % WORDS.length]}`;
    const request = {
      query,
      window: n % 3,
      similarityTopK: 20,
      engineName: engines[n % 3],
    };
    const { results } = await ask(request, { kind: "visible", ownerId, shared });
    const foreign = results.filter(
      ({ metadata: { documentId } }) =>
        owned.get(documentId) !== ownerId && !shared.includes(documentId),
    );
    expect(foreign).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  }
  held("retrieval-scope", SCOPED_QUERIES);
  await db.query(sql`delete from documents.documents where owner_id like 'person-%'`);
}, 1_200_000);

test("finds no document that was never PROCESSED, and answers from the former index during reprocessing", async () => {
  await store("ada", "rope.md", ["The whale lies by the island."]);
  const is = (status: string, indexing: object | null) =>
    db.query(sql`update documents.documents set status = ${status}, indexing = ${indexing === null ? null : JSON.stringify(indexing)}
      where id = ${documents["rope.md"]}`);
  for (const scope of [
    { kind: "all" },
    { kind: "visible", ownerId: "ada", shared: [] },
  ] satisfies Scope[])
    for (const engineName of ["default", "hybrid"] as const)
      for (const [status, indexing, found] of [
        ["EMBEDDING", null, false],
        ["FAILED", null, false],
        ["PROCESSED", null, true],
        ["PARSING", { chunks: 1 }, true],
      ] as const) {
        await is(status, indexing);
        const answer = names(await ask({ query: "whale island", engineName }, scope));
        expect([status, answer.includes("rope.md 0")]).toEqual([status, found]);
      }
  await db.query(sql`delete from documents.documents where id = ${documents["rope.md"]}`);
});

test("returns neighbours before and after, within the document", async () => {
  const { results } = await ask({ similarityTopK: 5, window: 1 });
  const first = results.find(
    ({ metadata }) => metadata.chunkIndex === 0 && metadata.fileName === "tea.md",
  );
  expect(first?.neighbours).toEqual([
    { chunkIndex: 1, pageNumber: 2, content: "Black tea is dried longer." },
  ]);
});

test("applies a reranker's order, scores, threshold and limit; when it fails, the first order applies", async () => {
  const backwards: Reranker = async (_, __, passages) => ({
    scores: passages.map((_passage, index) => ({ index, score: index / 10 })).toReversed(),
  });
  const first = await ask({});
  const answer = await ask(
    { rerank: { enabled: true, strategy: "bge", topK: 2, score: 0.1 } },
    { kind: "all" },
    backwards,
  );
  expect(names(answer)).toEqual(names(first).toReversed().slice(0, 2));
  expect(answer.pipeline).toMatchObject({
    reranked: true,
    rerankStrategy: "bge",
    candidatesConsidered: first.results.length,
  });
  const failed = await ask({ rerank: { enabled: true, strategy: "llm" } });
  expect(names(failed)).toEqual(names(first));
  expect(failed.pipeline).toMatchObject({
    reranked: false,
    rerankStrategy: null,
    warnings: ["nobody"],
  });
});

test("refuses a query that another model embedded", async () => {
  await expect(ask({}, { kind: "all" }, nobody, "another")).rejects.toMatchObject({
    status: 409,
    code: "embedding_mismatch",
  });
});

test("repeats a question with the new model when the model changes meanwhile", async () => {
  const models = ["former"];
  const answer = await ask({}, { kind: "all" }, nobody, () => models.pop() ?? "words");
  expect(names(answer).slice(0, 2).toSorted()).toEqual(["tea.md 0", "tea.md 1"]);
});

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

test("counts the candidates before applying a threshold", async () => {
  const all = await ask({ engineName: "naive", grade: 0 });
  const strict = await ask({ engineName: "naive", grade: 0.9 });
  expect(strict.totalResults).toBeLessThan(all.totalResults);
  expect(strict.pipeline.candidatesConsidered).toBe(all.totalResults);
});

test.each([[[0, 0, 0]], [[1e300, 1]], [[1e-40, 0]]])(
  "the vector %j, which has no cosine, is refused",
  (queryEmbedding) => {
    expect(SimilaritySearch.safeParse({ queryEmbedding }).success).toBe(false);
    expect(
      SimilaritySearch.safeParse({ queryEmbedding: [1, ...queryEmbedding.slice(2)] })
        .success,
    ).toBe(true);
  },
);

test("calls a failing reranker twice and a refusing one once, and the answer says so", async () => {
  for (const [status, times] of [
    [503, 2],
    [400, 1],
  ] as const) {
    await using server = await reranker(() => ({ status, body: "{}" }));
    const answer = await server.rerank("q", ["a"], new AbortController().signal);
    expect(answer).toMatchObject({ failure: expect.stringContaining(String(status)) });
    expect(server.asked).toHaveLength(times);
  }
  await using garbled = await reranker(() => ({ status: 200, body: "<html>" }));
  expect(await garbled.rerank("q", ["a"], new AbortController().signal)).toHaveProperty(
    "failure",
  );
});

test("beyond the exact limit the index serves, and finds nearly all that exact search finds, under a filter too, and where all that it leaves is far away", async () => {
  const [model] = await db.query<{ id: number }>(
    sql`select id from documents.embedding_models where name = 'words'`,
  );
  await db.query(
    sql`create index on documents.embeddings using hnsw ((embedding::vector(8)) vector_cosine_ops)
      where model_id = ${raw(String(model?.id))} and indexed`,
  );
  await db.query(sql`select setseed(0.5)`);
  for (const [owner, chunks, sign] of [
    ["many", 2_000, 1],
    ["few", 400, 1],
    ["far", 1_000, -1],
  ] as const) {
    const [id, setId] = [uuidv7(), uuidv7()];
    documents[owner] = id;
    await db.query(sql`insert into documents.documents (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status)
      values (${id}, ${owner}, 'default', ${owner}, 'text/plain', 1, ${id}, ${id}, 'PROCESSED')`);
    await db.query(
      sql`insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs) values (${setId}, ${id}, 'current', '', ${chunks}, '{simple}')`,
    );
    await db.query(sql`with made as (
        insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
        select gen_random_uuid(), ${setId}, ${id}, n, 'x', 0, 1, 1, '', 1 from generate_series(1, ${chunks}::int) n returning id)
      insert into documents.embeddings (chunk_id, model_id, set_id, embedding, indexed)
      select id, ${model?.id}, ${setId},
        array(select ${sign} * random() from generate_series(1, 8) where id is not null)::vector,
        random() < 0.8
      from made`);
  }
  const words = {
    id: model?.id ?? 0,
    name: "words",
    provider: "local",
    dimensions: 8,
    indexType: "vector" as const,
  };
  const vector = [0.9, 0.1, 0.5, 0.3, 0.8, 0.2, 0.7, 0.4];
  const only = (name: string) => ({
    kind: "documents" as const,
    ids: [documents[name] ?? ""],
  });
  for (const scope of [{ kind: "all" }, only("few"), only("far")] satisfies Scope[]) {
    const extent = await measureScope(db, scope, 3_400);
    const found = await db.tx(async () => {
      // so few would be read and sorted
      await db.query(
        sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
      );
      return searchVectors(db, words, vector, extent, 10, 100);
    });
    const exact = await db.query<{
      id: string;
    }>(sql`select e.chunk_id as id from documents.embeddings e join documents.chunks c on c.id = e.chunk_id
      join documents.documents d on d.id = c.document_id join documents.chunk_sets s on s.id = c.set_id and s.state = 'current'
      where ${inScope(scope)} order by e.embedding <=> ${JSON.stringify(vector)}::vector limit 10`);
    expect(found).toHaveLength(10);
    expect(
      exact.filter(({ id }) => found.some((one) => one.id === id)).length,
    ).toBeGreaterThanOrEqual(9);
  }
});

test("a user with more documents than a statement can name finds passages in all of them and no others, exactly and by the index", async () => {
  const [model] = await db.query<{ id: number }>(
    sql`select id from documents.embedding_models where name = 'words'`,
  );
  await db.query(sql`with made as (
      insert into documents.documents (id, owner_id, client_id, file_name, mime_type, size, sha256, storage_key, status)
      select gen_random_uuid(), 'collector', 'default', 'd' || n, 'text/plain', 1, 'c' || n, 'c' || n, 'PROCESSED' from generate_series(1, 1_010) n returning id),
    sets as (insert into documents.chunk_sets (id, document_id, state, fingerprint, total_chunks, text_configs)
      select gen_random_uuid(), id, 'current', '', 1, '{simple}' from made returning id, document_id),
    chunks as (insert into documents.chunks (id, set_id, document_id, chunk_index, content, start_offset, end_offset, token_count, search, search_length)
      select gen_random_uuid(), id, document_id, 0, 'rope', 0, 4, 1, to_tsvector('simple', 'rope'), 1 from sets returning id, set_id)
    insert into documents.embeddings (chunk_id, model_id, set_id, embedding, indexed)
      select id, ${model?.id}, set_id, array[random(), random(), random(), random(), random(),
        1 + random(), random(), random()]::vector, random() < 0.8 from chunks`);
  const words = {
    id: model?.id ?? 0,
    name: "words",
    provider: "local",
    dimensions: 8,
    indexType: "vector" as const,
  };
  const own = new Set(
    (
      await db.query<{ id: string }>(sql`select c.id from documents.chunks c
    join documents.documents d on d.id = c.document_id where d.owner_id = 'collector'`)
    ).map(({ id }) => id),
  );
  const extent = await measureScope(
    db,
    { kind: "visible", ownerId: "collector", shared: [] },
    4_000,
  );
  expect(extent).toMatchObject({ chunks: 1_010, share: 1_010 / 4_000 });
  for (const mostExact of [2_000, 100]) {
    const found = await searchVectors(db, words, vectorOf("rope"), extent, 50, mostExact);
    expect(found).toHaveLength(50);
    expect(found.every(({ id }) => own.has(id))).toBe(true);
  }
  const said = await ask(
    { query: "rope", engineName: "hybrid", similarityTopK: 50 },
    { kind: "visible", ownerId: "collector", shared: [] },
  );
  expect(said.results).toHaveLength(50);
  expect(said.results.every(({ metadata }) => own.has(metadata.chunkId))).toBe(true);
});

test("a language model scores passages; text around its JSON, and missing or invented ones, are ignored", async () => {
  const asked: CompletionRequest[] = [];
  const judge = (content: string) =>
    languageModelJudge({
      core: undefined,
      model: "m",
      async completion(request) {
        asked.push((await request.json()) as CompletionRequest);
        const message = {
          type: "message",
          content,
          toolCalls: [],
          finishReason: "stop",
          usage: { inputTokens: 1, outputTokens: 1 },
        };
        return new Response(`${JSON.stringify(message)}\n`, {
          headers: { "content-type": "application/x-ndjson" },
        });
      },
    })("When?", ["never", "in May", "no"], new AbortController().signal);
  const fenced =
    'Here: ```json\n{"scores": [{"passage": 2, "score": 9}, {"passage": 9, "score": 10}, {"passage": 1, "score": 1}]}\n```';
  expect(await judge(fenced)).toEqual({
    scores: [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.1 },
      { index: 2, score: 0 },
    ],
  });
  expect(JSON.stringify(asked[0]?.messages)).toContain("[2] in May");
  // the completion service would refuse fenced JSON
  expect(asked[0]).not.toHaveProperty("responseFormat");
  expect(await judge("I would rather not.")).toHaveProperty("failure");
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
