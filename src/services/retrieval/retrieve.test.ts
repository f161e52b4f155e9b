import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { held } from "../../../test/support/held.ts";
import {
  names,
  NOBODY,
  nobody,
  openPassages,
  type Passages,
  WORDS,
} from "../../../test/support/passages.ts";
import type { Reranker } from "./rerank/reranker.ts";
import type { Scope } from "./scope.ts";

const SCOPED_QUERIES = Number(process.env["RETRIEVAL_QUERIES"] ?? 500);

let passages: Passages;
const ask: Passages["ask"] = (...asked) => passages.ask(...asked);
beforeAll(async () => {
  passages = await openPassages();
  await passages.store("ada", "tea.md", [
    "Green tea is picked in April.",
    "Black tea is dried longer.",
    "The cat sleeps on the rope.",
  ]);
  await passages.store(
    "ada",
    "hafen.md",
    ["Der Hafen liegt an der Elbe. Im Hafen liegen Schiffe.", "Die Lampen leuchten."],
    "german",
  );
  await passages.store("bob", "secret.md", ["The lamp of the harbour broke in the storm."]);
  await passages.store("ada", "old.md", ["An old tea set."], "english", "building");
});
afterAll(() => passages[Symbol.asyncDispose]());

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
      documentId: passages.documents["tea.md"],
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
    { kind: "documents", ids: [passages.documents["tea.md"] ?? ""] },
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
    shared: [passages.documents["secret.md"] ?? ""],
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
      await passages.store(
        owner,
        fileName,
        [`A ${word} of ${owner}.`, `Beside the ${word}.`],
        "simple",
      );
      owned.set(passages.documents[fileName] ?? "", owner);
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
  await passages.db.query(
    sql`delete from documents.documents where owner_id like 'person-%'`,
  );
}, 1_200_000);

test("finds no document that was never PROCESSED, and answers from the former index during reprocessing", async () => {
  await passages.store("ada", "rope.md", ["The whale lies by the island."]);
  const is = (status: string, indexing: object | null) =>
    passages.db
      .query(sql`update documents.documents set status = ${status}, indexing = ${indexing === null ? null : JSON.stringify(indexing)}
      where id = ${passages.documents["rope.md"]}`);
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
  await passages.db.query(
    sql`delete from documents.documents where id = ${passages.documents["rope.md"]}`,
  );
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
    warnings: [NOBODY],
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

test("counts the candidates before applying a threshold", async () => {
  const all = await ask({ engineName: "naive", grade: 0 });
  const strict = await ask({ engineName: "naive", grade: 0.9 });
  expect(strict.totalResults).toBeLessThan(all.totalResults);
  expect(strict.pipeline.candidatesConsidered).toBe(all.totalResults);
});
