import { expect, test } from "vitest";
import type { Fetch } from "../../../platform/http/call.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import type { RetrieveResponse } from "../../retrieval/contract-retrieve.ts";
import { passageFinder, type PassageQuery } from "./find-passages.ts";

const KNOWN = "0b8f1ab7-1111-7000-8000-000000000001";
const FOREIGN = "0b8f1ab7-1111-7000-8000-000000000002";
const QUERY: PassageQuery = {
  query: "tea",
  userId: "ada",
  docIds: null,
  attached: [],
  topK: 20,
  grade: 0.2,
};

const DOCUMENT: StoredDocument = {
  id: KNOWN,
  fileName: "a.md",
  mimeType: "text/markdown",
  size: 1,
  sha256: "",
  folderId: null,
  ownerId: "ada",
  isAttachment: false,
  status: "PROCESSED",
  progress: 1,
  error: null,
  skipped: false,
  parsing: null,
  indexing: { chunks: 214, embedded: 214, translated: 0, model: "m", dimensions: 2 },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const NOTHING: RetrieveResponse = {
  results: [],
  query: "tea",
  totalResults: 0,
  engineUsed: "hybrid",
  pipeline: {
    reranked: false,
    rerankStrategy: null,
    candidatesConsidered: 1,
    warnings: [],
  },
  notFound: {
    reason: "below_threshold",
    waiting: [],
    waitingCount: 0,
    unavailable: 0,
    nearest: [
      {
        content: "Coffee.",
        score: 0.1,
        metadata: {
          chunkId: KNOWN,
          documentId: KNOWN,
          fileName: "a.md",
          chunkIndex: 0,
          pageNumber: 1,
          place: { kind: "section", part: 1, name: "Drinks" },
          contentType: "text",
          headings: [],
          start: 0,
          end: 7,
          language: null,
          translation: null,
        },
      },
    ],
  },
};

/** A search that finds nothing. The user may see the document `KNOWN` alone. */
function findNothing(query: Partial<PassageQuery>) {
  const asked: { docIds?: string[] }[] = [];
  const documents: Fetch = async (request) => {
    const { ids } = (await request.json()) as { ids: string[] };
    return Response.json(ids.includes(KNOWN) ? [DOCUMENT] : []);
  };
  const retrieval: Fetch = async (request) => {
    asked.push((await request.json()) as { docIds?: string[] });
    return Response.json(NOTHING);
  };
  const find = passageFinder(documents, retrieval);
  return { asked, answer: find({ ...QUERY, ...query }, new AbortController().signal) };
}

test("counts the named documents that the user may not see, without their names", async () => {
  const { asked, answer } = findNothing({ docIds: [KNOWN, FOREIGN] });
  const { notFound } = await answer;
  expect(notFound).toMatchObject({ reason: "below_threshold", unavailable: 1 });
  expect(notFound?.nearest).toMatchObject([
    { fileName: "a.md", place: { name: "Drinks" }, content: "Coffee." },
  ]);
  expect(asked[0]?.docIds).toEqual([KNOWN]);
});

test("searches nothing where the user may see none of the named documents", async () => {
  const { asked, answer } = findNothing({ docIds: [FOREIGN] });
  expect((await answer).notFound).toMatchObject({
    reason: "not_available",
    unavailable: 1,
  });
  expect(asked).toEqual([]);
});

test("says among how many passages it searched, where the documents are named", async () => {
  const named = await findNothing({ docIds: [KNOWN, FOREIGN] }).answer;
  expect(named.searched).toBe(214);
  // nobody counts all that a user may see
  expect((await findNothing({ docIds: null }).answer).searched).toBeUndefined();
});
