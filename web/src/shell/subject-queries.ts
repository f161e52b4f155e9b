import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { sharingContract } from "../../../src/services/users/contract-sharing.ts";
import { call } from "../api/call.ts";

const MAX_SUGGESTIONS = 8;
const MIN_QUERY_CHARACTERS = 2;

/** A user or a group. */
export type Subject = RouteOk<typeof sharingContract.listSubjects>["items"][number];

export function subjectsQuery(query: string) {
  return queryOptions({
    queryKey: ["subjects", query],
    queryFn: ({ signal }) =>
      call(
        sharingContract.listSubjects,
        { query: { query, limit: MAX_SUGGESTIONS } },
        { signal },
      ),
    enabled: query.length >= MIN_QUERY_CHARACTERS,
    placeholderData: keepPreviousData,
  });
}
