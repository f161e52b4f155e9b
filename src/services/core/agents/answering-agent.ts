import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { type ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { type Flows, flowsUnavailable } from "../flows/flows.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import type { Sharing } from "../sharing.ts";
import { needsDocuments } from "../sources/plan-retrieval.ts";
import { RESEARCH_AGENT } from "../contract-agents.ts";
import { type Web, webUnavailable } from "../web/web-client.ts";
import { agentFor } from "./access.ts";
import type { Agent } from "./contract.ts";
import { findVersion } from "./store.ts";
import { versionNotFound } from "./versions.ts";

const COME_BACK_MS = 60_000;

/**
 * Returns the agent that is to answer, in its newest version or the named one. An agent that
 * depends on a service which does not run here is refused, rather than answer without its documents
 * or flow.
 * @throws NotFound when the user may not see it, NotFound `version_not_found`, Unavailable
 * `retrieval_unavailable`, `flows_unavailable`, and why the web cannot be searched.
 */
export async function answeringAgent(
  deps: {
    db: Database;
    sharing: Sharing;
    guard: Guard;
    hasRetrieval: boolean;
    flows: Flows | undefined;
    web: Web | undefined;
  },
  user: User,
  { id, version }: { id: string; version: number | undefined },
): Promise<Agent> {
  const { agent: newest } = await agentFor(deps, user, id, "viewer");
  const agent = version === undefined ? newest : await asVersion(deps.db, newest, version);
  if (needsDocuments(agent) && !deps.hasRetrieval)
    throw new Unavailable(
      "retrieval_unavailable",
      "This agent answers from documents, and no retrieval service runs here. Choose another agent, or ask an administrator.",
      COME_BACK_MS,
    );
  const lack = agent.id === RESEARCH_AGENT && (await whyNoResearch(deps.web));
  if (lack) throw lack;
  if (agent.type === "workflow" && !(await deps.flows?.areAvailable()))
    throw flowsUnavailable();
  return agent;
}

/** Returns why the agent that researches cannot answer here, such as a missing setting. */
export async function whyNoResearch(web: Web | undefined): Promise<ApiError | undefined> {
  return web ? web.lacks(new AbortController().signal) : webUnavailable();
}

async function asVersion(db: Database, agent: Agent, version: number): Promise<Agent> {
  const found = await findVersion(db, agent.id, version);
  if (!found) throw versionNotFound(version);
  return { ...agent, ...found.definition, files: found.files, version };
}
