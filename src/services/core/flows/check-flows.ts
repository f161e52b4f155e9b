import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { flowsContract } from "../../integrations/contract-flows.ts";
import { flowOfTool, MAX_FLOW_TOOLS } from "./toolset.ts";

const TIMEOUT_MS = 10_000;

/** @throws NotFound `flow_not_found` for a flow that the user may not run. */
export type CheckFlows = (userId: string, flowIds: readonly string[]) => Promise<void>;

interface AgentFlows {
  flowId: string | null;
  tools: string[];
}

/**
 * Checks flows before an agent with them is saved. Without a flow provider nothing is checked: then
 * the agent answers that flows are not available.
 */
export function createFlowCheck(integrations: Fetch | undefined): CheckFlows {
  return async (userId, flowIds) => {
    if (!integrations) return;
    const options = { timeoutMs: TIMEOUT_MS };
    const checks = flowIds.slice(0, MAX_FLOW_TOOLS + 1).map(async (flowId) => {
      const input = { params: { flowId }, query: { userId } };
      await call(integrations, flowsContract.getFlow, input, options).catch(
        ignoreNoProvider,
      );
    });
    await Promise.all(checks);
  };
}

/** Returns the flows that an agent runs: its own, and those among its tools. */
export function flowsOf({ flowId, tools }: AgentFlows): string[] {
  const all = [flowId, ...tools.map(flowOfTool)];
  return [...new Set(all.filter((id) => typeof id === "string"))];
}

/** Returns the agents whose flows the user may run. */
export async function filterRunnable<Agent extends AgentFlows>(
  { checkFlows }: { checkFlows: CheckFlows },
  userId: string,
  agents: readonly Agent[],
): Promise<Agent[]> {
  const runnable: Agent[] = [];
  for (const agent of agents) {
    try {
      await checkFlows(userId, flowsOf(agent));
      runnable.push(agent);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "flow_not_found")) throw error;
    }
  }
  return runnable;
}

/** Without a flow provider the integrations service has no such route. */
function ignoreNoProvider(error: unknown): void {
  if (!(error instanceof ApiError && error.code === "not_found")) throw error;
}
