import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Unavailable } from "../../../platform/http/errors.ts";
import { type Flows, flowsUnavailable } from "../flows/flows.ts";
import type { Sharing } from "../sharing.ts";
import { needsDocuments } from "../sources/plan-retrieval.ts";
import { agentFor } from "./access.ts";
import type { Agent } from "./contract.ts";

const COME_BACK_MS = 60_000;

/**
 * Returns the agent that is to answer. An agent that depends on a service which does not run here
 * is refused, rather than answer without its documents or flow.
 * @throws NotFound when the user may not see it, Unavailable `retrieval_unavailable`,
 * `flows_unavailable`.
 */
export async function answeringAgent(
  deps: { db: Database; sharing: Sharing; hasRetrieval: boolean; flows: Flows | undefined },
  user: User,
  id: string,
): Promise<Agent> {
  const { agent } = await agentFor(deps, user, id, "viewer");
  if (needsDocuments(agent) && !deps.hasRetrieval)
    throw new Unavailable(
      "retrieval_unavailable",
      "This agent answers from documents, and no retrieval service runs here. Choose another agent, or ask an administrator.",
      COME_BACK_MS,
    );
  if (agent.type === "workflow" && !(await deps.flows?.areAvailable())) throw flowsUnavailable();
  return agent;
}
