import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { sourcesContract } from "../../../../src/services/automations/contract-sources.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 50;

export type Source = RouteOk<typeof sourcesContract.getSource>;
export type CreatedSource = RouteOk<typeof sourcesContract.createSource>;
export type NewSource = RouteInput<typeof sourcesContract.createSource>["body"];
export type SourceChange = RouteInput<typeof sourcesContract.changeSource>["body"];
export type SourceItem = RouteOk<typeof sourcesContract.listSourceItems>["items"][number];
export type ItemState = SourceItem["state"];

export const sourcesQuery = pagedQuery({
  queryKey: ["automations", "sources"],
  load: (page, signal) =>
    call(sourcesContract.listSources, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export function sourceQuery(id: string) {
  return queryOptions({
    queryKey: ["automation", id],
    queryFn: ({ signal }) =>
      call(sourcesContract.getSource, { params: { id } }, { signal }),
  });
}

/** What was found in a folder or bucket; read again with its runs. */
export function itemsQuery(id: string, state: ItemState | undefined) {
  return pagedQuery({
    queryKey: ["runs", "items", id],
    filter: [state],
    load: (page, signal) =>
      call(
        sourcesContract.listSourceItems,
        { params: { id }, query: { page, limit: PAGE, state } },
        { signal },
      ),
    keyOf: ({ key }) => key,
  });
}

export function createSource(body: NewSource) {
  return call(sourcesContract.createSource, { body });
}

export function changeSource(id: string, body: SourceChange) {
  return call(sourcesContract.changeSource, { params: { id }, body });
}

export function deleteSource(id: string) {
  return call(sourcesContract.removeSource, { params: { id } });
}

export function renewSecret(id: string) {
  return call(sourcesContract.renewSecret, { params: { id } });
}
