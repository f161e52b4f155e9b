import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DOCUMENTS_AGENT } from "../src/services/core/contract-agents.ts";
import { askBelow, newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

let parlance: TestServer;
let bob: { id: string; token: string };
let tea: string;
const documents = askBelow(() => parlance, "/api/v1/documents");
const ask = askBelow(() => parlance, "/api/v1");
const retrieve = (body: object, token = parlance.token, query = "") =>
  ask("POST", `/rag/retrieve${query}`, {
    token,
    body: { grade: 0, engineName: "hybrid", ...body },
  });
const found = (body: Record<string, unknown>) =>
  (body["results"] as unknown as { content: string }[]).map(({ content }) => content);

const TEA =
  "# Tea\n\nGreen tea is brewed at seventy degrees.\n\n## Black\n\nBlack tea takes boiling water and four minutes.";
async function upload(text: string, name: string): Promise<string> {
  return (await uploadFile(parlance, text, name)).body.id;
}
const processed = (id: string) =>
  vi.waitFor(
    async () =>
      expect((await documents("GET", `/${id}`)).body).toMatchObject({
        status: "PROCESSED",
        error: null,
      }),
    {
      timeout: 90_000,
      interval: 200,
    },
  );

beforeAll(async () => {
  parlance = await startTestServer();
  bob = await newPerson(parlance, "bob");
  tea = await upload(TEA, "tea.md");
  await processed(tea);
});
afterAll(() => parlance[Symbol.asyncDispose]());

test.each(["a\u0000b", "x^\u0000\u0002z\u0085", "# Half \ud800\n\nof a pair"])(
  "a text with characters that the database cannot hold is indexed: %j",
  async (content) => {
    const documentId = await upload("short", "short.md");
    await processed(documentId);
    const { status } = await ask("POST", "/process", {
      body: { text: content, documentId },
    });
    expect(status).toBe(200);
    await documents("DELETE", `/${documentId}`);
  },
);

test("an uploaded text is found with its position, only by its owner", async () => {
  const { body } = await retrieve({ query: "How long does black tea take?" });
  expect(body).toMatchObject({
    engineUsed: "hybrid",
    results: [
      {
        metadata: {
          documentId: tea,
          fileName: "tea.md",
          pageNumber: 1,
          place: { kind: "section", part: 1, name: "Tea, Black" },
          contentType: "text",
          headings: ["Tea"],
        },
      },
    ],
  });
  expect(found(body)[0]).toBe(TEA);
  for (const how of [
    {},
    { docIds: [tea] },
    { engineName: "default" },
    { userId: "someone" },
  ])
    expect(found((await retrieve({ query: "black tea", ...how }, bob.token)).body)).toEqual(
      [],
    );
  await ask("POST", "/sharing/share", {
    body: {
      resourceType: "document",
      resourceId: tea,
      shares: [{ subjectType: "user", subjectId: bob.id, accessRole: "viewer" }],
    },
  });
  expect(found((await retrieve({ query: "black tea" }, bob.token)).body)).toEqual([TEA]);
});

test("a question says why a document is not among its results", async () => {
  const explain = async (
    documentId: string,
    query: string,
    more: object = {},
    token?: string,
  ) => {
    const body = { query, grade: 0, similarityTopK: 5, documentId, ...more };
    const answer = await ask("POST", "/rag/explain", { body, ...(token && { token }) });
    const engines = answer.body["engines"] as unknown as {
      engineName: string;
      reason: string;
      rank: number | null;
    }[];
    return {
      ...answer.body,
      reasons: engines.map(({ engineName, reason, rank }) => [engineName, reason, rank]),
    };
  };
  const best = await explain(tea, "How long does black tea take?");
  expect(best).toMatchObject({
    fileName: "tea.md",
    status: "PROCESSED",
    matchesWords: true,
    passage: { content: TEA },
    reasons: [
      ["default", "found", 1],
      ["naive", "found", 1],
      ["hybrid", "found", 1],
    ],
  });
  const unlike = await explain(tea, "zebra", { grade: 0.9 });
  expect(unlike).toMatchObject({ matchesWords: false });
  expect(unlike.reasons.slice(1)).toEqual([
    ["naive", "below_grade", null],
    ["hybrid", "below_grade", null],
  ]);
  const notes = await Promise.all(
    [1, 2, 3, 4, 5].map((at) =>
      upload(`Otter number ${at}. Otter, otter.`, `otter${at}.md`),
    ),
  );
  const other = await upload(
    "A river with stones and one otter, seen far away.",
    "river.md",
  );
  for (const id of [...notes, other]) await processed(id);
  expect((await explain(other, "otter number")).reasons).toEqual([
    ["default", "outranked", 6],
    ["naive", "outranked", 6],
    ["hybrid", "outranked", 6],
  ]);
  const hidden = await explain(other, "otter number", {}, bob.token);
  expect(hidden).toMatchObject({ fileName: null, status: null, passage: null });
  expect(hidden.reasons[0]).toEqual(["default", "no_access", null]);
  const broken = await upload("%PDF-1.7 garbage", "broken.pdf");
  expect((await explain(broken, "otter")).reasons[0]).toEqual([
    "default",
    "not_indexed",
    null,
  ]);
  for (const id of [...notes, other, broken]) await documents("DELETE", `/${id}`);
});

test("a vector can be the query, and one of another model is refused", async () => {
  const { body } = await ask("POST", "/embed/single", { body: { text: "boiling water" } });
  expect(body).toMatchObject({ model: "hashed-words-v1", dimensions: 1024 });
  const near = await ask("POST", "/chunks/similarity-search", {
    body: { queryEmbedding: body["embedding"], topK: 3, docIds: [tea] },
  });
  expect(near.body).toMatchObject({
    totalResults: 1,
    results: [{ documentId: tea, content: TEA }],
  });
  const other = await ask("POST", "/chunks/similarity-search", {
    body: { queryEmbedding: [1, 0, 0] },
  });
  expect([other.status, other.body.code]).toEqual([409, "embedding_mismatch"]);
});

test("as many texts as maxBatchSize says are embedded at once, and no more", async () => {
  const { maxBatchSize } = (await ask("GET", "/embed/model")).body as Record<
    string,
    number
  >;
  expect(maxBatchSize).toBe(100);
  const embed = (length: number) =>
    ask("POST", "/embed", { body: { texts: Array.from({ length }, () => "tea") } });
  expect((await embed(100)).body["embeddings"]).toHaveLength(100);
  expect((await embed(101)).body.code).toBe("validation_failed");
});

test("a document shows its chunks, a preview with other settings, and its embedding progress", async () => {
  expect((await documents("GET", `/${tea}/chunks`)).body).toMatchObject({
    total: 1,
    items: [{ index: 0, content: TEA, language: "en" }],
  });
  const preview = await documents("POST", `/${tea}/preview-chunks`, {
    body: { method: "semchunk", chunkSize: 16 },
  });
  expect(preview.body).toMatchObject({
    method: "semchunk",
    totalChunks: 2,
    chunks: [{ start: 0 }, { headings: ["Tea", "Black"] }],
  });
  expect((await documents("GET", `/${tea}/chunks`)).body.total).toBe(1);
  expect((await ask("GET", `/embed/${tea}`)).body).toMatchObject({
    documentId: tea,
    status: "completed",
    chunks: 1,
    embedded: 1,
  });
  const tooMuch = await documents("POST", `/${tea}/preview-chunks`, {
    body: { chunkSize: 20, chunkOverlap: 30 },
  });
  expect([tooMuch.status, tooMuch.body.code]).toEqual([400, "overlap_too_large"]);
});

test("an unreadable document is not embedded, and the embedding route says why", async () => {
  const id = await upload(" \n\n ", "blank.md");
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/embed/${id}`)).body).toMatchObject({
        status: "failed",
        chunks: 0,
        error: { code: "no_text_found", message: expect.any(String) },
      }),
    { timeout: 60_000, interval: 200 },
  );
});

test("a submitted text is indexed at once, replaces the former one, and has neighbours", async () => {
  const text = Array.from(
    { length: 9 },
    (_, n) => `Paragraph number ${n} is about lighthouse ${n}.`,
  ).join("\n\n");
  const id = await upload("to be replaced", "lights.txt");
  await processed(id);
  const { body } = await ask("POST", "/process", {
    body: { documentId: id, text, chunkSize: 16, chunkOverlap: 0 },
  });
  expect(body).toEqual({
    documentId: id,
    status: "completed",
    chunks: 9,
    embedded: 9,
    translated: 0,
  });
  const { body: answer } = await retrieve(
    { query: "lighthouse 4", docIds: [id], similarityTopK: 5 },
    parlance.token,
    "?window=1",
  );
  const [first] = answer["results"] as unknown as {
    content: string;
    neighbours: { chunkIndex: number }[];
  }[];
  expect(first?.content).toContain("number 4");
  expect(first?.neighbours.map(({ chunkIndex }) => chunkIndex)).toEqual([3, 5]);
  expect(
    (await ask("POST", "/process", { token: bob.token, body: { documentId: id, text } }))
      .status,
  ).toBe(404);
});

test("deleting a document deletes its chunks", async () => {
  const id = await upload("The zeppelin lands on the meadow.", "zeppelin.txt");
  await processed(id);
  expect(found((await retrieve({ query: "zeppelin" })).body)).toContain(
    "The zeppelin lands on the meadow.",
  );
  await documents("DELETE", `/${id}`);
  expect(found((await retrieve({ query: "zeppelin" })).body)).not.toContain(
    "The zeppelin lands on the meadow.",
  );
});

test.each([
  ["/rag/retrieve", { query: "a", grade: 2 }, "body.grade"],
  ["/rag/retrieve", { query: "a", grade: 0, similarityTopK: 51 }, "body.similarityTopK"],
  ["/rag/retrieve", { query: "", grade: 0 }, "body.query"],
  ["/rag/retrieve", { query: "a", grade: 0, engineName: "best" }, "body.engineName"],
  ["/embed", { texts: Array.from({ length: 101 }, () => "a") }, "body.texts"],
  ["/chunk", { text: "a", chunkSize: 10, chunkOverlap: 10 }, "body.chunkOverlap"],
  ["/chunk", { text: "a", method: "by_magic" }, "body.method"],
])("%s refuses %j", async (path, body, field) => {
  const answer = await ask("POST", path, { body });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    code: "validation_failed",
    details: [{ path: field }],
  });
});

test("a reply says why the documents had nothing for it, also when it is read again", async () => {
  const eve = await newPerson(parlance, "eve");
  const say = async (agentId: string) => {
    const body = { content: "How hot is green tea?", agentId, stream: false };
    const { body: reply } = await ask("POST", "/conversation", { token: eve.token, body });
    const path = `/conversation/${reply.conversationId}`;
    const { body: conversation } = await ask("GET", path, { token: eve.token });
    const messages = conversation["messages"] as { notFound: unknown }[];
    expect(messages.at(-1)?.notFound).toEqual(reply["notFound"]);
    return reply["notFound"];
  };
  const nothing = { waiting: [], waitingCount: 0, nearest: [] };
  expect(await say(DOCUMENTS_AGENT)).toEqual({
    ...nothing,
    reason: "no_documents",
    unavailable: 0,
  });
  const { body: agent } = await ask("POST", "/agent", {
    body: { name: "Tea", type: "cortex", retrieval: { docIds: [tea] } },
  });
  await ask("POST", "/sharing/share", {
    body: {
      resourceType: "agent",
      resourceId: agent.id,
      shares: [{ subjectType: "user", subjectId: eve.id, accessRole: "viewer" }],
    },
  });
  expect(await say(agent.id)).toEqual({
    ...nothing,
    reason: "not_available",
    unavailable: 1,
  });
}, 60_000);

test("a text is chunked, and the chunking methods are listed", async () => {
  const { body } = await ask("POST", "/chunk", {
    body: { text: "one two three\fpage two", chunkSize: 5, chunkOverlap: 0 },
  });
  expect(body).toMatchObject({
    method: "lib_recursive",
    totalChunks: 2,
    chunks: [
      { content: "one two three", start: 0, end: 13, tokenCount: 3 },
      { pageNumber: 2 },
    ],
  });
  const { body: methods } = await ask("GET", "/chunk/methods");
  expect(methods).toMatchObject({
    default: "lib_recursive",
    methods: [
      { key: "lib_recursive" },
      { key: "lib_text_splitter" },
      { key: "semchunk" },
      { key: "fixed_size" },
    ],
  });
});

test("English needs no translation; without a language model other languages are refused, and health says so", async () => {
  const english = "This text is English already, and so it stays as it is.";
  expect(
    (await ask("POST", "/translation/translate", { body: { text: english } })).body,
  ).toMatchObject({
    translatedText: english,
    translated: false,
    detectedLanguage: "en",
  });
  const german = "Dieser Text ist deutsch und müsste erst übersetzt werden.";
  const refused = await ask("POST", "/translation/translate", { body: { text: german } });
  expect([refused.status, refused.body.code]).toEqual([503, "translation_unavailable"]);
  expect((await ask("GET", "/translation/health")).body).toMatchObject({
    status: "degraded",
    model: null,
  });
});
