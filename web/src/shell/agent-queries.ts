import type { RouteInput } from "../../../src/platform/http/route.ts";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { call } from "../api/call.ts";
import { builtInAgentsNamed, wordAgent } from "../texts/built-in-agents.ts";

type Query = RouteInput<typeof agentsContract.listAgents>["query"];

/**
 * A page of the agents that the user may use, worded in their language. The server finds a built-in
 * agent by its English name; the first page has those that the user's language names so, too.
 */
export async function listAgents(query: Query, signal: AbortSignal) {
  const found = await call(agentsContract.listAgents, { query }, { signal });
  const known = new Set(found.items.map(({ id }) => id));
  const hasBuiltIns = query.scope === "all" || query.scope === "organization";
  const isFirst = (query.page ?? 1) === 1;
  const ids = hasBuiltIns && isFirst && query.query ? builtInAgentsNamed(query.query) : [];
  const missing = ids.filter((id) => !known.has(id));
  const others =
    missing.length === 0
      ? []
      : await call(
          agentsContract.multipleAgents,
          { query: { ids: missing.join(",") } },
          { signal },
        );
  return {
    ...found,
    items: [...found.items, ...others].map(wordAgent),
    total: found.total + others.length,
  };
}
