import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { call } from "../api/call.ts";

/** The most ids that one request may name. */
const MAX_IDS = 100;
const MAX_FOUND = 10;
const MINUTE_MS = 60_000;

/** The names of agents that the person may see. */
export async function readAgentNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const asked = [...new Set(ids)].slice(0, MAX_IDS);
  if (asked.length === 0) return new Map();
  const agents = await call(
    agentsContract.multipleAgents,
    { query: { ids: asked.join(",") } },
    { signal },
  );
  return new Map(agents.map(({ id, name }) => [id, name]));
}

export function agentNamesQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ["agents", "names", ...ids],
    queryFn: ({ signal }) => readAgentNames(ids, signal),
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  });
}

/** Agents that the person may use: own ones, those that others share, the organisation's. */
export function findAgentsQuery(words: string) {
  return queryOptions({
    queryKey: ["agents", "to-automate", words],
    queryFn: ({ signal }) =>
      call(
        agentsContract.listAgents,
        { query: { query: words || undefined, scope: "all", limit: MAX_FOUND } },
        { signal },
      ),
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData,
  });
}
