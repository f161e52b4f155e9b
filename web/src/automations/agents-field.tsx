import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Finder } from "../ui/finder.tsx";
import { Section } from "../ui/section.tsx";
import { agentNamesQuery, findAgentsQuery } from "./agent-queries.ts";
import { StepFields } from "./step-fields.tsx";
import { possibleDependencies, type Step, withoutStep } from "./steps.ts";
import { useAutomationTexts } from "./texts.ts";

interface AgentsFieldProps {
  steps: readonly Step[];
  onChange: (steps: Step[]) => void;
  /** Says that one is missing, once somebody tried to save. */
  isMissing: boolean;
}

const MAX_STEPS = 50;

/** The agents of a rule or a schedule, and which of them wait for others. */
export function AgentsField({ steps, onChange, isMissing }: AgentsFieldProps) {
  const { agents: texts } = useAutomationTexts();
  const names = useQuery(agentNamesQuery(steps.map(({ id }) => id))).data;
  const nameOf = (id: string) => names?.get(id) ?? (names ? texts.unknown : "…");
  return (
    <Section title={texts.title} hint={texts.hint}>
      {isMissing && steps.length === 0 && (
        <p role="alert" className="text-danger">
          {texts.none}
        </p>
      )}
      <ol className="grid grid-cols-1 gap-3 empty:hidden">
        {steps.map((step) => (
          <StepFields
            key={step.id}
            step={step}
            nameOf={nameOf}
            others={possibleDependencies(steps, step.id)}
            onChange={(next) =>
              onChange(steps.map((one) => (one.id === next.id ? next : one)))
            }
            onRemove={() => onChange(withoutStep(steps, step.id))}
          />
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <AgentFinder
          chosen={steps.map(({ id }) => id)}
          onChoose={(id) => onChange([...steps, { id }])}
        />
      )}
    </Section>
  );
}

interface AgentFinderProps {
  chosen: readonly string[];
  onChoose: (id: string) => void;
}

/** Finds an agent by its name, or takes one of those that changed last. */
function AgentFinder({ chosen, onChoose }: AgentFinderProps) {
  const { agents: texts } = useAutomationTexts();
  const [words, setWords] = useState("");
  const { data } = useQuery(findAgentsQuery(useDeferredValue(words.trim())));
  const found = data?.items.filter(({ id }) => !chosen.includes(id));
  const choose = (id: string) => {
    setWords("");
    onChoose(id);
  };
  return (
    <div className="grid grid-cols-1 gap-2">
      <Finder
        label={texts.add}
        hint={texts.addHint}
        words={words}
        onWords={setWords}
        found={found?.map(({ id, name }) => ({ key: id, name }))}
        onChoose={choose}
      />
      {words.trim() === "" && (
        <ul aria-label={texts.suggestions} className="flex flex-wrap gap-2 empty:hidden">
          {found?.slice(0, 6).map(({ id, name }) => (
            <li key={id} className="max-w-full">
              <Button className="max-w-full" onClick={() => choose(id)}>
                <Plus aria-hidden size={14} className="shrink-0" />
                <bdi className="truncate">{name}</bdi>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data?.total === 0 && words.trim() === "" && (
        <p className="text-muted">{texts.noAgents}</p>
      )}
    </div>
  );
}
