import { queryOptions } from "@tanstack/react-query";
import { embeddingContract } from "../../../../src/services/embedding/contract.ts";
import { call } from "../../api/call.ts";

const REFRESH_INTERVAL_MS = 5_000;

/** The model in use, and how far the next one is. */
export const embeddingQuery = queryOptions({
  queryKey: ["embedding-model"],
  queryFn: ({ signal }) => call(embeddingContract.embedModel, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.next ? REFRESH_INTERVAL_MS : false),
});
