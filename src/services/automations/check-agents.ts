import { call, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import { resolveAgents } from "../core/contract-agents.ts";
import type { RuleAgents } from "./contract-agents.ts";

/**
 * @throws BadRequest `agents_invalid` for agents that are no graph, unknown ones, and those that
 * the user may not use.
 */
export async function checkAgents(
  core: Fetch,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
  agents: RuleAgents,
): Promise<void> {
  checkGraph(agents);
  const ids = agentIds(agents);
  const usable = await usableAgents(core, { userId, clientId }, ids);
  const unknown = ids.find((id) => !usable.has(id));
  if (unknown) throw invalid(`There is no agent ${unknown} that the rule's maker may use.`);
}

/** Those of the agents that the user may use. */
export async function usableAgents(
  core: Fetch,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
  ids: string[],
): Promise<Set<string>> {
  const body = { userId, clientId, ids };
  const agents = await call(core, resolveAgents, { body }, { timeoutMs: 5_000 });
  return new Set(agents.map(({ id }) => id));
}

/** Ids of a rule's agents. */
function agentIds(agents: RuleAgents): string[] {
  return agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
}

/**
 * @throws BadRequest `agents_invalid` for an agent that is there twice, a dependency that is not
 * there, or a circle, which it names.
 */
function checkGraph(agents: RuleAgents): void {
  const ids = agentIds(agents);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw invalid(`The agent ${twice} is there twice.`);
  const dependencies = new Map(
    agents.map((agent) =>
      typeof agent === "string" ? [agent, []] : [agent.id, agent.depends_on ?? []],
    ),
  );
  for (const [id, needed] of dependencies) {
    const absent = needed.find((one) => !dependencies.has(one));
    if (absent) throw invalid(`The agent ${id} depends on ${absent}, which is not in this rule.`);
  }
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (done.has(id)) return;
    if (path.includes(id))
      throw invalid(
        `The agents wait for each other in a circle: ${[...path.slice(path.indexOf(id)), id].join(" → ")}.`,
      );
    for (const needed of dependencies.get(id) ?? []) visit(needed, [...path, id]);
    done.add(id);
  };
  for (const id of ids) visit(id, []);
}

function invalid(message: string): BadRequest {
  return new BadRequest("agents_invalid", message);
}
