import { BadRequest } from "../../platform/http/errors.ts";
import type { RuleAgents } from "./contract.ts";

/** Ids of a rule's agents. */
export function agentIds(agents: RuleAgents): string[] {
  return agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
}

/** @throws BadRequest `agents_invalid` for an agent that is there twice, a dependency that is not there, or a circle, which it names. */
export function checkGraph(agents: RuleAgents): void {
  const ids = agentIds(agents);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw invalid(`The agent ${twice} is there twice.`);
  const dependencies = new Map(
    agents.map((agent) => (typeof agent === "string" ? [agent, []] : [agent.id, agent.depends_on ?? []])),
  );
  for (const [id, needed] of dependencies) {
    const absent = needed.find((one) => !dependencies.has(one));
    if (absent) throw invalid(`The agent ${id} depends on ${absent}, which is not in this rule.`);
  }
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (done.has(id)) return;
    if (path.includes(id))
      throw invalid(`The agents wait for each other in a circle: ${[...path.slice(path.indexOf(id)), id].join(" → ")}.`);
    for (const needed of dependencies.get(id) ?? []) visit(needed, [...path, id]);
    done.add(id);
  };
  for (const id of ids) visit(id, []);
}

function invalid(message: string): BadRequest {
  return new BadRequest("agents_invalid", message);
}
