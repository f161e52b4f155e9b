import { call, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import { resolveAgents } from "../core/contract-agents.ts";
import type { RuleAgents } from "./contract-agents.ts";

const TIMEOUT_MS = 5_000;
/** The flow provider is asked too. */
const RUNNABLE_TIMEOUT_MS = 30_000;

/**
 * @throws BadRequest `agents_invalid` for duplicates, invalid dependencies, unknown agents and
 * agents that the user may not use.
 */
export async function checkAgents(
  core: Fetch,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
  agents: RuleAgents,
): Promise<void> {
  checkGraph(agents);
  const ids = agentIds(agents);
  const usable = await usableAgents(core, { userId, clientId }, ids, { runnable: true });
  const unknown = ids.find((id) => !usable.has(id));
  if (unknown)
    throw invalid(
      `The agent ${unknown} does not exist, is not shared with you, or runs a flow that you may ` +
        "not run. Choose another.",
    );
}

/** The ids of the agents that the user may use; if `runnable`, with flows that they may run. */
export async function usableAgents(
  core: Fetch,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
  ids: string[],
  { runnable = false } = {},
): Promise<Set<string>> {
  const body = { userId, clientId, ids, runnable };
  const timeoutMs = runnable ? RUNNABLE_TIMEOUT_MS : TIMEOUT_MS;
  const agents = await call(core, resolveAgents, { body }, { timeoutMs });
  return new Set(agents.map(({ id }) => id));
}

/** The ids of a rule's agents. */
function agentIds(agents: RuleAgents): string[] {
  return agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
}

/**
 * @throws BadRequest `agents_invalid` for a duplicate agent, a missing dependency, or a cycle,
 * which the message names.
 */
function checkGraph(agents: RuleAgents): void {
  const ids = agentIds(agents);
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
  if (duplicate) throw invalid(`The agent ${duplicate} is there twice.`);
  const dependencies = new Map(
    agents.map((agent) =>
      typeof agent === "string" ? [agent, []] : [agent.id, agent.depends_on ?? []],
    ),
  );
  for (const [id, dependency] of dependencies) {
    const missing = dependency.find((one) => !dependencies.has(one));
    if (missing)
      throw invalid(`The agent ${id} depends on ${missing}, which is not in this rule.`);
  }
  const visited = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (visited.has(id)) return;
    if (path.includes(id))
      throw invalid(
        `The agents depend on each other in a cycle: ${toCycle(path, id)}. Remove a dependency.`,
      );
    for (const dependency of dependencies.get(id) ?? []) visit(dependency, [...path, id]);
    visited.add(id);
  };
  for (const id of ids) visit(id, []);
}

function toCycle(path: readonly string[], id: string): string {
  return [...path.slice(path.indexOf(id)), id].join(" → ");
}

function invalid(message: string): BadRequest {
  return new BadRequest("agents_invalid", message);
}
