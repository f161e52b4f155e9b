import type { User } from "../../../platform/http/caller.ts";
import { RESEARCH_AGENT } from "../contract-agents.ts";
import { toVisibleAgents } from "./access.ts";
import { whyNoResearch } from "./answering-agent.ts";
import type { AgentScope, VisibleListedAgent } from "./contract.ts";
import type { AgentDeps } from "./manage-agents.ts";
import { type AgentFilter, listAgents } from "./list-store.ts";

interface Narrowing extends Pick<AgentFilter, "query" | "type" | "folderId"> {
  scope: AgentScope;
}

/**
 * Agents that a user may use: own ones, those of the organisation, and those that others share. The
 * one that researches is left out where the web cannot be searched.
 */
export async function listVisibleAgents(
  deps: AgentDeps,
  user: User,
  { scope, ...filter }: Narrowing,
  limit: number,
  offset: number,
): Promise<{ items: VisibleListedAgent[]; total: number }> {
  const { userId, clientId } = user;
  const isOf = (other: AgentScope) => scope === other || scope === "all";
  const whose: AgentFilter = {
    ...filter,
    ...(isOf("own") && { ownerId: userId }),
    ...(isOf("organization") && {
      organization: clientId,
      without: (await whyNoResearch(deps.web)) ? [RESEARCH_AGENT] : [],
    }),
    ...(isOf("shared") && { ids: await deps.sharing.listShared("agent", userId) }),
  };
  const page = await listAgents(deps.db, whose, limit, offset);
  const items = await toVisibleAgents(deps, user, page.items);
  return { items, total: page.total };
}

/** Of these agents those that a user may use. */
export async function readVisibleAgents(
  deps: AgentDeps,
  user: User,
  ids: readonly string[],
): Promise<VisibleListedAgent[]> {
  const { items } = await listAgents(deps.db, { ids }, ids.length, 0);
  return toVisibleAgents(deps, user, items);
}
