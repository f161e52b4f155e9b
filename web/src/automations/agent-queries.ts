import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { call } from "../api/call.ts";

/** The most ids that one request may name. */
const MAX_IDS = 100;
const MAX_FOUND = 10;
const MINUTE_MS = 60_000;

type Agents = RouteOk<typeof agentsContract.multipleAgents>;

/** The agents among them that the person may see. */
async function readAgents(ids: readonly string[], signal: AbortSignal): Promise<Agents> {
  const asked = [...new Set(ids)].slice(0, MAX_IDS);
  if (asked.length === 0) return [];
  const query = { ids: asked.join(",") };
  return call(agentsContract.multipleAgents, { query }, { signal });
}

/** The names of agents that the person may see. */
export async function readAgentNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  return toNames(await readAgents(ids, signal));
}

export function agentNamesQuery(ids: readonly string[]) {
  return queryOptions({ ...agentsQuery(ids), select: toNames });
}

/** The agents among them that not everybody in the organisation may use. */
export function limitedAgentsQuery(ids: readonly string[]) {
  return queryOptions({ ...agentsQuery(ids), select: onlyLimited });
}

function agentsQuery(ids: readonly string[]) {
  return {
    queryKey: ["agents", "by-id", ...ids],
    queryFn: ({ signal }: { signal: AbortSignal }) => readAgents(ids, signal),
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData<Agents>,
    enabled: ids.length > 0,
  };
}

function toNames(agents: Agents): Map<string, string> {
  return new Map(agents.map(({ id, name }) => [id, name]));
}

function onlyLimited(agents: Agents): Agents {
  return agents.filter(({ type }) => type !== "organization" && type !== "system");
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
