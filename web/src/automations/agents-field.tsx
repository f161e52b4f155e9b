import { useQuery } from "@tanstack/react-query";
import { Plus, Bot, X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Finder } from "../ui/finder.tsx";
import { Section } from "../ui/section.tsx";
import { agentNamesQuery, findAgentsQuery } from "./agent-queries.ts";
import { possibleDependencies, type Step, withoutStep } from "./steps.ts";
import { useAutomationTexts } from "./texts.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { TextField } from "../ui/text-field.tsx";

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

interface StepFieldsProps {
  step: Step;
  nameOf: (id: string) => string;
  /** The agents that it may wait for. */
  others: readonly string[];
  onChange: (step: Step) => void;
  onRemove: () => void;
}

/** One agent: whom it waits for, and its limits. */
function StepFields({ step, nameOf, others, onChange, onRemove }: StepFieldsProps) {
  const { agents: texts } = useAutomationTexts();
  const name = nameOf(step.id);
  const dependsOn = step.depends_on ?? [];
  return (
    <li className="rounded-lg border border-hairline bg-raised px-3 py-2">
      <div className="flex items-center gap-2">
        <Bot aria-hidden size={16} className="shrink-0 text-muted" />
        <bdi className="min-w-0 flex-1 truncate font-medium" title={name}>
          {name}
        </bdi>
        <IconButton icon={X} label={texts.remove(name)} onClick={onRemove} />
      </div>
      {others.length > 0 && (
        <fieldset className="flex min-w-0 flex-wrap items-baseline gap-x-4">
          <legend className="float-left mr-4 py-1 text-muted">{texts.waitsFor}</legend>
          {others.map((id) => (
            <Checkbox
              key={id}
              className="max-w-full"
              label={<bdi className="block truncate">{nameOf(id)}</bdi>}
              checked={dependsOn.includes(id)}
              onChange={({ target }) =>
                onChange({
                  ...step,
                  depends_on: target.checked
                    ? [...dependsOn, id]
                    : dependsOn.filter((other) => other !== id),
                })
              }
            />
          ))}
        </fieldset>
      )}
      <Limits step={step} onChange={onChange} />
    </li>
  );
}

const LIMITS = [
  { field: "timeout", label: "timeout", hint: "timeoutHint", min: 1, max: 3_600 },
  { field: "retry_count", label: "retries", hint: "retriesHint", min: 0, max: 10 },
  { field: "priority", label: "priority", hint: "priorityHint", min: -1_000, max: 1_000 },
] as const;

function Limits({ step, onChange }: Pick<StepFieldsProps, "step" | "onChange">) {
  const { agents: texts } = useAutomationTexts();
  return (
    <details>
      <summary className="min-h-6 cursor-pointer py-0.5 text-xs text-muted pointer-coarse:py-3.5">
        {texts.more}
      </summary>
      <div className="grid grid-cols-1 gap-3 py-2 sm:grid-cols-3">
        {LIMITS.map(({ field, label, hint, min, max }) => (
          <TextField
            key={field}
            type="number"
            label={texts[label]}
            hint={texts[hint]}
            min={min}
            max={max}
            value={step[field] ?? ""}
            onChange={({ target }) => {
              const { [field]: _, ...rest } = step;
              onChange(
                target.value === "" ? rest : { ...rest, [field]: Number(target.value) },
              );
            }}
          />
        ))}
      </div>
    </details>
  );
}
