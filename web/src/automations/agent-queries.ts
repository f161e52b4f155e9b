import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { sharingContract } from "../../../src/services/users/contract-sharing.ts";
import { call } from "../api/call.ts";
import { listAgents } from "../shell/agent-queries.ts";
import { currentLanguage } from "../texts/language.ts";
import { wordAgent } from "../texts/built-in-agents.ts";

/** The most ids that one request may name. */
const MAX_IDS = 100;
const MAX_FOUND = 10;
const MAX_NAMED = 5;
const MINUTE_MS = 60_000;

type Agents = RouteOk<typeof agentsContract.multipleAgents>;

/** The agents among them that the person may see. */
async function readAgents(ids: readonly string[], signal: AbortSignal): Promise<Agents> {
  const asked = [...new Set(ids)].slice(0, MAX_IDS);
  if (asked.length === 0) return [];
  const query = { ids: asked.join(",") };
  const agents = await call(agentsContract.multipleAgents, { query }, { signal });
  return agents.map(wordAgent);
}

const en = { deleted: (name: string) => `${name} (deleted)` };
const de = { deleted: (name) => `${name} (gelöscht)` } satisfies typeof en;
const TEXTS = { en, de };

/** The names of agents that the person may see, also of own ones that are in the trash. */
export async function readAgentNames(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const names = toNames(await readAgents(ids, signal));
  if (ids.every((id) => names.has(id))) return names;
  const query = { limit: MAX_IDS };
  const { items } = await call(agentsContract.agentTrash, { query }, { signal });
  const { deleted } = TEXTS[currentLanguage()];
  for (const { id, name } of items)
    if (ids.includes(id) && !names.has(id)) names.set(id, deleted(name));
  return names;
}

export function agentNamesQuery(ids: readonly string[]) {
  return queryOptions<Map<string, string>>({
    queryKey: ["agents", "names", ...ids],
    queryFn: ({ signal }) => readAgentNames(ids, signal),
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  });
}

/** The agents among them that not everybody in the organisation may use. */
export function limitedAgentsQuery(ids: readonly string[]) {
  return queryOptions({ ...agentsQuery(ids), select: onlyLimited });
}

/** Whom an agent is for, as far as its owner may know. */
export interface Reach {
  isForAll: boolean;
  /** Names of people and groups: the first ones. */
  sharedWith: string[];
}

/** Of agents that the person owns: whether a link opens them to everybody, and their shares. */
export function reachQuery(ids: readonly string[]) {
  return queryOptions({
    // a share that changes is announced as one
    queryKey: ["shares", "reach", ...ids],
    queryFn: async ({ signal }) => {
      const reaches = await Promise.all(ids.map((id) => readReach(id, signal)));
      return new Map(ids.map((id, at) => [id, reaches[at]]));
    },
    enabled: ids.length > 0,
  });
}

async function readReach(id: string, signal: AbortSignal): Promise<Reach> {
  const params = { resourceType: "agent", resourceId: id } as const;
  const query = { limit: MAX_NAMED };
  const [link, shares] = await Promise.all([
    call(sharingContract.getLink, { params }, { signal }),
    call(sharingContract.listShares, { params, query }, { signal }),
  ]);
  const isExpired = link.expiresAt !== null && Date.parse(link.expiresAt) <= Date.now();
  return {
    isForAll: link.enabled && link.allowedUsers === null && !isExpired,
    sharedWith: shares.items.map(({ name }) => name).filter((name) => name !== ""),
  };
}

/** The agents among them that the creator of a rule may not use. They never run for the rule. */
export function withheldAgentsQuery(creatorId: string, ids: readonly string[]) {
  return queryOptions({
    queryKey: ["shares", "withheld", creatorId, ...ids],
    queryFn: async ({ signal }) => {
      const resources = ids.map((resourceId) => ({
        resourceType: "agent" as const,
        resourceId,
      }));
      const body = { userId: creatorId, resources };
      const { results } = await call(
        sharingContract.checkAccessBatch,
        { body },
        { signal },
      );
      return results
        .filter(({ hasAccess }) => !hasAccess)
        .map(({ resourceId }) => resourceId);
    },
    enabled: ids.length > 0,
  });
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
      listAgents({ query: words || undefined, scope: "all", limit: MAX_FOUND }, signal),
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData,
  });
}
