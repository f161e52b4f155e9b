import { Graph, type ShownNode } from "../../charts/graph.tsx";
import type { Run } from "./queries.ts";
import { RunState, StepState } from "./state.tsx";
import { useRunTexts } from "./texts.ts";
import { titleOf } from "./title-of.ts";

/** The node of the medium, which every agent comes after. */
const MEDIUM = "medium";

interface RunGraphProps {
  run: Run;
  nameOf: (id: string) => string;
  selected: string | undefined;
  onSelect: (id: string) => void;
}

/** The medium, then its agents in the order in which they follow each other. */
export function RunGraph({ run, nameOf, selected, onSelect }: RunGraphProps) {
  const texts = useRunTexts();
  const isRead = run.transcript !== null;
  const medium: ShownNode = {
    id: MEDIUM,
    after: [],
    label: titleOf(run),
    note: isRead ? <StepState status="completed" /> : <RunState status={run.status} />,
  };
  const agents = run.agents.map(({ agentId, dependsOn, status }): ShownNode => ({
    id: agentId,
    after: dependsOn.length > 0 ? dependsOn : [MEDIUM],
    label: nameOf(agentId),
    note: <StepState status={status} />,
  }));
  return (
    <Graph
      label={texts.graph}
      nodes={[medium, ...agents]}
      selected={selected}
      onSelect={onSelect}
    />
  );
}
