import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { searchEnginesContract as contract } from "../../../../src/services/core/search-engines/contract.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

const PAGE = 50;

export type Engine = RouteOk<typeof contract.listSearchEngines>["items"][number];
export type NewEngine = RouteInput<typeof contract.createSearchEngine>["body"];
export type EngineProbe = RouteInput<typeof contract.testNewSearchEngine>["body"];
export type EngineTest = RouteOk<typeof contract.testNewSearchEngine>;

export const ENGINES = ["search-engines"];

/** In the order in which they are asked. */
export const enginesQuery = pagedQuery({
  queryKey: ENGINES,
  load: (page, signal) =>
    call(contract.listSearchEngines, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export const engineKindsQuery = queryOptions({
  queryKey: ["search-engine-kinds"],
  queryFn: ({ signal }) => call(contract.listSearchEngineKinds, {}, { signal }),
  staleTime: Infinity,
});

export function addEngine(body: NewEngine) {
  return call(contract.createSearchEngine, { body });
}

export function changeEngine(
  id: string,
  body: RouteInput<typeof contract.changeSearchEngine>["body"],
) {
  return call(contract.changeSearchEngine, { params: { id }, body });
}

export function deleteEngine(id: string) {
  return call(contract.deleteSearchEngine, { params: { id } });
}

export function orderEngines(ids: string[]) {
  return call(contract.orderSearchEngines, { body: { ids } });
}

/** Searches by an engine that is not saved. */
export function testNewEngine(body: EngineProbe) {
  return call(contract.testNewSearchEngine, { body });
}

export function testEngine(id: string, query: string) {
  return call(contract.testSearchEngine, { params: { id }, body: { query } });
}
