import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { conversationsContract } from "../../../src/services/core/conversations/contract.ts";
import { templatesContract } from "../../../src/services/core/templates/contract.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { call } from "../api/call.ts";
import { wordAgentName } from "../texts/built-in-agents.ts";

/** What has shares of its own. */
export type SharedType = "conversation" | "document" | "folder" | "agent" | "template";

/** Where a thing that was shared is opened; its id follows. */
export const SHARED_PATHS: Record<SharedType, string> = {
  conversation: "/c/",
  document: "/documents/d/",
  folder: "/documents/",
  agent: "/agents/",
  template: "/templates/",
};

/** The titles of things by id; what its owner deleted has none. */
export async function readTitles(
  kind: SharedType,
  ids: string,
  signal: AbortSignal,
): Promise<readonly { id: string; title: string }[]> {
  if (kind === "conversation")
    return call(conversationsContract.titles, { query: { ids } }, { signal });
  if (kind === "agent") {
    const agents = await call(
      agentsContract.multipleAgents,
      { query: { ids } },
      { signal },
    );
    return agents.map(({ id, name }) => ({ id, title: wordAgentName(id, name) }));
  }
  if (kind === "template") {
    const body = { ids: ids.split(",") };
    const templates = await call(templatesContract.templatesByIds, { body }, { signal });
    return templates.map(({ id, name }) => ({ id, title: name }));
  }
  return call(documentsContract.titles, { query: { ids } }, { signal });
}
