import { useQuery } from "@tanstack/react-query";
import { agentNamesQuery } from "../agent-queries.ts";
import { useAutomationTexts } from "../texts.ts";
import type { Run } from "./queries.ts";

/** The names of a run's agents, as far as the person may see them. */
export function useAgentNames({ agents }: Run): (id: string) => string {
  const texts = useAutomationTexts();
  const { data } = useQuery(agentNamesQuery(agents.map(({ agentId }) => agentId)));
  return (id) => data?.get(id) ?? (data ? texts.agents.unknown : "…");
}
