import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { embeddingContract } from "../../../../src/services/embedding/contract.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 50;
const REFRESH_INTERVAL_MS = 5_000;

export type ModelState = RouteOk<typeof embeddingContract.embedModel>;
export type Candidate = RouteOk<typeof embeddingContract.modelCandidates>["items"][number];
type ModelChoice = RouteInput<typeof embeddingContract.chooseModel>["body"];

/** The common first part of the keys below. */
export const EMBEDDING_KEYS = [["embedding-model"]];

/**
 * The model in use, and the progress of the next one. Polled, because refusals are known only after
 * the server has tried, also for the model in use.
 */
export const embeddingQuery = queryOptions({
  queryKey: ["embedding-model"],
  queryFn: ({ signal }) => call(embeddingContract.embedModel, {}, { signal }),
  refetchInterval: REFRESH_INTERVAL_MS,
});

const candidatesList = pagedQuery({
  queryKey: ["embedding-model", "candidates"],
  load: (page, signal) =>
    call(embeddingContract.modelCandidates, { query: { page, limit: PAGE } }, { signal }),
  keyOf,
});
/** The models to choose from. Read again until the next one is in use. */
export const candidatesQuery = infiniteQueryOptions({
  ...candidatesList,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(({ use }) => use === "next"))
      ? REFRESH_INTERVAL_MS
      : false,
});

/** Requests a vector from a model, and the cost of choosing the model. */
export function modelTestQuery(candidate: Candidate) {
  return queryOptions({
    queryKey: ["embedding-test", keyOf(candidate)],
    queryFn: ({ signal }) =>
      call(embeddingContract.testModel, { body: toChoice(candidate) }, { signal }),
    retry: false,
    // a test is made when somebody asks for it, not because something changed
    staleTime: "static",
    gcTime: 0,
  });
}

export function chooseModel(candidate: Candidate) {
  return call(embeddingContract.chooseModel, { body: toChoice(candidate) });
}

export function cancelModelChange() {
  return call(embeddingContract.cancelModelChange, {});
}

export function keyOf({ source, availableModelId }: Candidate): string {
  return `${source} ${availableModelId ?? ""}`;
}

function toChoice({ source, availableModelId }: Candidate): ModelChoice {
  return source === "catalogue"
    ? { source, availableModelId: availableModelId ?? "" }
    : { source };
}
