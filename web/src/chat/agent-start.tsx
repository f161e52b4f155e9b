import type { VisibleAgent } from "../../../src/services/core/agents/contract.ts";
import { Button } from "../ui/button.tsx";
import { Glyph } from "../ui/glyph.tsx";

interface AgentStartProps {
  agent: VisibleAgent;
  onStarter: (question: string) => void;
}

/** What an agent is for, and its questions to begin with. */
export function AgentStart({ agent, onStarter }: AgentStartProps) {
  const { id, name, description, starters, icon } = agent;
  return (
    <>
      <Glyph value={icon} id={id} name={name} size="huge" />
      <h1 className="max-w-full text-2xl wrap-anywhere">
        <bdi>{name}</bdi>
      </h1>
      {description && (
        <p className="max-w-measure text-muted wrap-anywhere">
          <span dir="auto">{description}</span>
        </p>
      )}
      <ul className="flex w-full max-w-measure flex-wrap justify-center gap-2 pt-3 empty:hidden">
        {starters.map((starter) => (
          <li key={starter} className="max-w-full">
            <Button
              onClick={() => onStarter(starter)}
              className="max-w-full"
              title={starter}
            >
              <bdi className="truncate">{starter}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
