import type { Run, RunEvent } from "./queries.ts";

/** A run after an event of its stream. */
export function applyEvent(run: Run, event: RunEvent): Run {
  if (event.type === "run") return { ...run, status: event.status, error: event.error };
  const { type: _, ...changed } = event;
  const agents = run.agents.map((agent) =>
    agent.agentId === changed.agentId ? { ...agent, ...changed } : agent,
  );
  return { ...run, agents };
}
