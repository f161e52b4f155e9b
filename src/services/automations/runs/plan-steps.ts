import type { RuleAgents } from "../contract-agents.ts";

export interface NewStep {
  agentId: string;
  position: number;
  priority: number;
  timeoutMs: number;
  retryCount: number;
  dependsOn: string[];
}

const DEFAULT_TIMEOUT_SECONDS = 600;

/** The steps of a rule's agents, with defaults filled in. */
export function toSteps(agents: RuleAgents): NewStep[] {
  return agents.map((agent, position) => {
    const settings = typeof agent === "string" ? { id: agent } : agent;
    return {
      agentId: settings.id,
      position,
      priority: settings.priority ?? 0,
      timeoutMs: Math.round((settings.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1_000),
      retryCount: settings.retry_count ?? 0,
      dependsOn: [...new Set(settings.depends_on ?? [])],
    };
  });
}

export interface PlannedStep {
  agentId: string;
  priority: number;
  dependsOn: readonly string[];
  status: string;
}

const ENDED = new Set(["completed", "failed", "skipped", "cancelled"]);
export const hasEnded = ({ status }: { status: string }): boolean => ENDED.has(status);

/**
 * Decides which steps start now and which are skipped. A step starts when its dependencies are
 * complete and all steps of a higher priority have ended, whatever their result; steps of the same
 * priority run in parallel. A step has at least the priority of the steps that depend on it, so no
 * two steps wait for each other. A step whose dependency did not complete is skipped.
 */
export function planSteps(steps: readonly PlannedStep[]): {
  begin: string[];
  skip: string[];
} {
  const status = new Map(steps.map((step) => [step.agentId, step.status]));
  const skip: string[] = [];
  for (let found = true; found;) {
    found = false;
    for (const { agentId, dependsOn } of steps) {
      if (status.get(agentId) !== "waiting") continue;
      if (
        !dependsOn.some((id) =>
          ["failed", "skipped", "cancelled"].includes(status.get(id) ?? ""),
        )
      )
        continue;
      status.set(agentId, "skipped");
      skip.push(agentId);
      found = true;
    }
  }
  const priorities = effectivePriorities(steps);
  const priorityOf = (id: string) => priorities.get(id) ?? 0;
  const open = steps.filter(({ agentId }) => !ENDED.has(status.get(agentId) ?? ""));
  const highest = Math.max(...open.map(({ agentId }) => priorityOf(agentId)));
  const begin = open
    .filter(({ agentId, dependsOn }) => {
      if (status.get(agentId) !== "waiting" || priorityOf(agentId) < highest) return false;
      return dependsOn.every((id) => status.get(id) === "completed");
    })
    .map(({ agentId }) => agentId);
  return { begin, skip };
}

/** The priority of each step, or the highest of the steps that depend on it. */
function effectivePriorities(steps: readonly PlannedStep[]): Map<string, number> {
  const priorities = new Map(steps.map(({ agentId, priority }) => [agentId, priority]));
  for (let changed = true; changed;) {
    changed = false;
    for (const { agentId, dependsOn } of steps) {
      const inherited = priorities.get(agentId) ?? 0;
      for (const id of dependsOn) {
        if ((priorities.get(id) ?? inherited) >= inherited) continue;
        priorities.set(id, inherited);
        changed = true;
      }
    }
  }
  return priorities;
}
