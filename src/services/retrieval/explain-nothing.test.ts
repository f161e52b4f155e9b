import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeDocument } from "../../../test/support/documents-database.ts";
import { openPassages, type Passages } from "../../../test/support/passages.ts";
import type { Scope } from "./scope.ts";

let passages: Passages;
let waiting: string;
beforeAll(async () => {
  passages = await openPassages();
  await passages.store("ada", "tea.md", ["Green tea.", "The cat sleeps.", "A lamp."]);
  await passages.store("bob", "secret.md", ["The storm at the island."]);
  waiting = await storeDocument(passages.db, {
    ownerId: "ada",
    fileName: "scan.pdf",
    status: "PARSING",
  });
});
afterAll(() => passages[Symbol.asyncDispose]());

const visibleTo = (ownerId: string): Scope => ({ kind: "visible", ownerId, shared: [] });
const ask = async (request: Parameters<Passages["ask"]>[0], scope: Scope) =>
  (await passages.ask({ engineName: "hybrid", grade: 0.9, ...request }, scope)).notFound;

test("says that nothing reaches the threshold, and what is nearest, with what is not ready", async () => {
  // near to tea, harbour and lamp alike, and without a word of any passage
  const notFound = await ask({ query: "teaharbourlamp" }, visibleTo("ada"));
  expect(notFound).toMatchObject({
    reason: "below_threshold",
    waiting: [{ documentId: waiting, fileName: "scan.pdf", status: "PARSING" }],
    waitingCount: 1,
    unavailable: 0,
  });
  const nearest = notFound?.nearest.map(({ content }) => content).toSorted();
  expect(nearest).toEqual(["A lamp.", "Green tea.", "The cat sleeps."]);
  expect(notFound?.nearest.every(({ score }) => score > 0 && score < 0.9)).toBe(true);
});

test("never speaks of documents that the user may not see", async () => {
  const notFound = await ask({ query: "stormisland" }, visibleTo("ada"));
  expect(JSON.stringify(notFound)).not.toMatch(/secret|storm/);
  const named = { docIds: [uuidv7(), uuidv7()] };
  // those that a user may not see are not in the scope
  expect(await ask({ query: "storm", ...named }, { kind: "documents", ids: [] })).toEqual({
    reason: "not_available",
    waiting: [],
    waitingCount: 0,
    unavailable: 2,
    nearest: [],
  });
});

test("says that there are no documents, or none that is ready", async () => {
  expect(await ask({ query: "tea" }, visibleTo("eve"))).toMatchObject({
    reason: "no_documents",
    unavailable: 0,
  });
  const scope: Scope = { kind: "documents", ids: [waiting] };
  expect(await ask({ query: "tea", docIds: [waiting, uuidv7()] }, scope)).toMatchObject({
    reason: "not_processed",
    waiting: [{ fileName: "scan.pdf" }],
    unavailable: 1,
    nearest: [],
  });
});

test("says nothing of the kind where something is found", async () => {
  expect(await ask({ query: "tea" }, visibleTo("ada"))).toBeUndefined();
});

test("what a reranker judges to be below its threshold is the nearest", async () => {
  const answer = await passages.ask(
    { query: "tea", rerank: { enabled: true, strategy: "bge", score: 0.5 } },
    visibleTo("ada"),
    async () => ({ scores: [{ index: 0, score: 0.1 }] }),
  );
  expect(answer.results).toEqual([]);
  expect(answer.notFound).toMatchObject({ reason: "below_threshold" });
  expect(answer.notFound?.nearest[0]?.content).toBe("Green tea.");
});
