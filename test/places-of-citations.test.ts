import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { statedPage } from "../src/services/embedding/contract-places.ts";
import type { RetrieveResponse } from "../src/services/retrieval/contract-retrieve.ts";
import { askBelow } from "./support/ask.ts";
import { makePlacedDocuments } from "./support/placed-documents.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

const documents = makePlacedDocuments();
let parlance: TestServer;
const ask = askBelow(() => parlance, "/api/v1");

beforeAll(async () => {
  parlance = await startTestServer();
  for (const { fileName, bytes } of documents) {
    const { status } = await uploadFile(parlance, new Uint8Array(bytes), fileName);
    expect(status).toBe(201);
  }
  const done = async () => {
    const { body } = await ask("GET", "/documents?status=PROCESSED&limit=1");
    expect(body.total).toBe(documents.length);
  };
  await vi.waitFor(done, { timeout: 240_000, interval: 1_000 });
}, 300_000);
afterAll(() => parlance[Symbol.asyncDispose]());

test("seventy documents in seven formats are cited with the place that the file states, and no other page", async () => {
  const wrong: unknown[] = [];
  let facts = 0;
  for (const document of documents)
    for (const fact of document.facts) {
      facts += 1;
      const body = { query: fact.sentence, grade: 0, engineName: "hybrid" };
      const answer = await ask("POST", "/rag/retrieve", { body });
      const [best] = (answer.body as unknown as RetrieveResponse).results;
      const { fileName, place } = best?.metadata ?? {};
      const pageNumber = best && statedPage(best.metadata);
      const { first = 0, last = 0 } = place?.rows ?? {};
      const isRight =
        best?.content.includes(fact.sentence) &&
        fileName === document.fileName &&
        pageNumber === fact.pageNumber &&
        place?.kind === fact.kind &&
        (place.name ?? "").includes(fact.name) &&
        (fact.row === undefined || (first <= fact.row && fact.row <= last));
      if (!isRight)
        wrong.push({ fact, in: document.fileName, fileName, pageNumber, place });
    }
  expect(wrong).toEqual([]);
  expect(facts).toBeGreaterThan(300);
}, 300_000);

test("a document says how it is divided, and its chunks where they stand", async () => {
  const { body } = await ask("GET", "/documents?limit=100");
  const layoutOf = (name: string) => {
    const found = body.items.find(({ fileName }) => fileName === name);
    return (found?.["parsing"] as { layout: { kind: string } } | undefined)?.layout;
  };
  expect(layoutOf("report-0.docx")?.kind).toBe("pages");
  expect(layoutOf("report-1.docx")?.kind).toBe("none");
  // the names and rows of sheets are for the index
  expect(Object.keys(layoutOf("report-40.xlsx") ?? {})).toEqual(["kind", "parts"]);
  const id = body.items.find(({ fileName }) => fileName === "report-40.xlsx")?.id;
  const { body: chunks } = await ask("GET", `/documents/${id}/chunks?limit=2`);
  expect(chunks.items[1]).toMatchObject({
    pageNumber: 1,
    place: { kind: "sheet", part: 1, rows: { first: 3 } },
  });
});
