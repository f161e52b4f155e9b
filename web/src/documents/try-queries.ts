import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { embeddingContract } from "../../../src/services/embedding/contract.ts";
import { retrievalContract } from "../../../src/services/retrieval/contract.ts";
import type { ENGINES } from "../../../src/services/retrieval/contract-retrieve.ts";
import { call } from "../api/call.ts";

const MAX_SUGGESTIONS = 8;
const MINUTE_MS = 60_000;

export type Engine = (typeof ENGINES)[number];
export type Result = RouteOk<typeof retrievalContract.retrieve>["results"][number];
export type Explained = RouteOk<typeof retrievalContract.explain>;

/** A question, and how it is searched. */
export interface Question {
  query: string;
  /** The least similarity. */
  grade: number;
  /** The number of results. */
  similarityTopK: number;
}

export function resultsQuery(question: Question, engineName: Engine) {
  return queryOptions({
    queryKey: ["retrieval", question, engineName],
    queryFn: ({ signal }) =>
      call(
        retrievalContract.retrieve,
        { query: {}, body: { ...question, engineName } },
        { signal },
      ),
    staleTime: MINUTE_MS,
  });
}

export function explanationQuery(question: Question, documentId: string) {
  return queryOptions({
    queryKey: ["explanation", question, documentId],
    queryFn: ({ signal }) =>
      call(retrievalContract.explain, { body: { ...question, documentId } }, { signal }),
    staleTime: MINUTE_MS,
  });
}

/** Documents with a part of the name. */
export function namedDocumentsQuery(query: string) {
  return queryOptions({
    queryKey: ["documents", "named", query],
    queryFn: ({ signal }) =>
      call(
        documentsContract.list,
        { query: { query, limit: MAX_SUGGESTIONS } },
        { signal },
      ),
    enabled: query !== "",
  });
}

export const modelQuery = queryOptions({
  queryKey: ["embedding-model"],
  queryFn: ({ signal }) => call(embeddingContract.embedModel, {}, { signal }),
  staleTime: MINUTE_MS,
});
