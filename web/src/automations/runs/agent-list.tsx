import { Section } from "../../ui/section.tsx";
import { AgentCard } from "./agent-card.tsx";
import type { Run } from "./queries.ts";
import { useRunTexts } from "./texts.ts";

interface AgentListProps {
  run: Run;
  nameOf: (id: string) => string;
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** The agents of a run in the order of its rule, each with what it wrote. */
export function AgentList({ run, nameOf, selected, onSelect }: AgentListProps) {
  const texts = useRunTexts();
  const isOnly = run.agents.length === 1;
  return (
    <Section title={texts.agents}>
      <ul className="grid grid-cols-1 gap-3">
        {run.agents.map((agent) => (
          <AgentCard
            key={agent.agentId}
            agent={agent}
            nameOf={nameOf}
            isOpen={isOnly || agent.agentId === selected}
            onToggle={() => onSelect(agent.agentId)}
          />
        ))}
      </ul>
    </Section>
  );
}
