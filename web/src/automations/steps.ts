import type { RuleAgents } from "../../../src/services/automations/contract-agents.ts";

/** An agent of a rule or a schedule, with its settings. */
export type Step = Exclude<RuleAgents[number], string>;

export function toSteps(agents: RuleAgents): Step[] {
  return agents.map((agent) => (typeof agent === "string" ? { id: agent } : agent));
}

/** Without the agent, and without what waited for it. */
export function withoutStep(steps: readonly Step[], id: string): Step[] {
  return steps
    .filter((step) => step.id !== id)
    .map((step) => ({
      ...step,
      ...(step.depends_on && {
        depends_on: step.depends_on.filter((other) => other !== id),
      }),
    }));
}

/** The agents that one may wait for: those that do not wait for it themselves. */
export function possibleDependencies(steps: readonly Step[], id: string): string[] {
  const waiting = new Set([id]);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const step of steps) {
      if (waiting.has(step.id) || !step.depends_on?.some((other) => waiting.has(other)))
        continue;
      waiting.add(step.id);
      isChanged = true;
    }
  }
  return steps.map((step) => step.id).filter((other) => !waiting.has(other));
}
