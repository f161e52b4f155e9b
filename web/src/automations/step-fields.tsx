import { Bot, X } from "lucide-react";
import { Checkbox } from "../ui/checkbox.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Step } from "./steps.ts";
import { useAutomationTexts } from "./texts.ts";

interface StepFieldsProps {
  step: Step;
  nameOf: (id: string) => string;
  /** The agents that it may wait for. */
  others: readonly string[];
  onChange: (step: Step) => void;
  onRemove: () => void;
}

/** One agent: whom it waits for, and its limits. */
export function StepFields({ step, nameOf, others, onChange, onRemove }: StepFieldsProps) {
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
