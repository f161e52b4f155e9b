import type { RuleAgents } from "../contract-agents.ts";

export interface NewStep {
  agentId: string;
  position: number;
  priority: number;
  timeoutMs: number;
  retryCount: number;
  dependsOn: string[];
}

const TIMEOUT_SECONDS = 600;

/** What a rule says of its agents, with what it leaves out filled in. */
export function stepsOf(agents: RuleAgents): NewStep[] {
  return agents.map((agent, position) => {
    const given = typeof agent === "string" ? { id: agent } : agent;
    return {
      agentId: given.id,
      position,
      priority: given.priority ?? 0,
      timeoutMs: Math.round((given.timeout ?? TIMEOUT_SECONDS) * 1_000),
      retryCount: given.retry_count ?? 0,
      dependsOn: [...new Set(given.depends_on ?? [])],
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
 * What may begin now, and what never will. A step begins when those it depends on are complete and
 * those of a higher priority have ended, however they ended; steps of one priority run side by
 * side. What others depend on counts as much as the most urgent of these, so that no two ever wait
 * for each other. A step that depends on one which did not complete is skipped. Source:
 * requirements 3, matching rule 4.
 */
export function planSteps(steps: readonly PlannedStep[]): { begin: string[]; skip: string[] } {
  const status = new Map(steps.map((step) => [step.agentId, step.status]));
  const skip: string[] = [];
  for (let found = true; found;) {
    found = false;
    for (const { agentId, dependsOn } of steps) {
      if (status.get(agentId) !== "waiting") continue;
      if (
        !dependsOn.some((id) => ["failed", "skipped", "cancelled"].includes(status.get(id) ?? ""))
      )
        continue;
      status.set(agentId, "skipped");
      skip.push(agentId);
      found = true;
    }
  }
  const urgency = urgencies(steps);
  const urgent = (id: string) => urgency.get(id) ?? 0;
  const open = steps.filter(({ agentId }) => !ENDED.has(status.get(agentId) ?? ""));
  const most = Math.max(...open.map(({ agentId }) => urgent(agentId)));
  const begin = open
    .filter(({ agentId, dependsOn }) => {
      if (status.get(agentId) !== "waiting" || urgent(agentId) < most) return false;
      return dependsOn.every((id) => status.get(id) === "completed");
    })
    .map(({ agentId }) => agentId);
  return { begin, skip };
}

/** The priority of each, or the highest among those that wait for it. */
function urgencies(steps: readonly PlannedStep[]): Map<string, number> {
  const urgency = new Map(steps.map(({ agentId, priority }) => [agentId, priority]));
  for (let changed = true; changed;) {
    changed = false;
    for (const { agentId, dependsOn } of steps) {
      const own = urgency.get(agentId) ?? 0;
      for (const id of dependsOn) {
        if ((urgency.get(id) ?? own) >= own) continue;
        urgency.set(id, own);
        changed = true;
      }
    }
  }
  return urgency;
}
