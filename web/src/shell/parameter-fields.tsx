import { useState } from "react";
import type { ModelParameters } from "../../../src/services/completion/contract-model-parameters.ts";
import { texts as inLanguages } from "../texts/language.ts";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";

const LEVELS = {
  reasoningEffort: ["none", "minimal", "low", "medium", "high", "xhigh"],
  verbosity: ["low", "medium", "high"],
} as const;
const NUMBERS = {
  topP: { min: 0, max: 1, step: 0.05 },
  frequencyPenalty: { min: -2, max: 2, step: 0.1 },
  presencePenalty: { min: -2, max: 2, step: 0.1 },
  seed: { step: 1 },
} as const;

type Name = keyof typeof LEVELS | keyof typeof NUMBERS;

interface ParameterFieldsProps {
  title: string;
  hint: string;
  parameters: ModelParameters;
  onChange: (parameters: ModelParameters) => void;
}

/** How a model answers, beside its temperature. Empty: as the model does by itself. */
export function ParameterFields({
  title,
  hint,
  parameters,
  onChange,
}: ParameterFieldsProps) {
  const texts = useParameterTexts();
  const [wereSet] = useState(() => Object.keys(parameters).length > 0);
  const set = (name: Name, value: string | number | undefined) => {
    const { [name]: _, ...others } = parameters;
    onChange({ ...others, ...(value !== undefined && { [name]: value }) });
  };
  return (
    <details open={wereSet}>
      <summary className="min-h-6 cursor-pointer py-0.5 text-muted pointer-coarse:py-3.5">
        {title}
      </summary>
      <p className="py-2 text-muted">{hint}</p>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {(Object.keys(LEVELS) as (keyof typeof LEVELS)[]).map((name) => (
          <SelectField
            key={name}
            label={texts.names[name]}
            value={parameters[name] ?? ""}
            onChange={({ target }) => set(name, target.value || undefined)}
          >
            <option value="">{texts.ofModel}</option>
            {withOwn(LEVELS[name], parameters[name]).map((level) => (
              <option key={level} value={level}>
                {texts.levels[level] ?? level}
              </option>
            ))}
          </SelectField>
        ))}
        {(Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]).map((name) => (
          <TextField
            key={name}
            label={texts.names[name]}
            type="number"
            {...NUMBERS[name]}
            value={parameters[name] ?? ""}
            placeholder={texts.ofModel}
            onChange={({ target }) =>
              set(name, target.value === "" ? undefined : target.valueAsNumber)
            }
          />
        ))}
      </div>
    </details>
  );
}

/** One that was set by a program may be another: providers have their own. */
function withOwn(levels: readonly string[], own: string | undefined): readonly string[] {
  return own === undefined || levels.includes(own) ? levels : [...levels, own];
}

const en = {
  ofModel: "as the model",
  names: {
    reasoningEffort: "Reasoning effort",
    verbosity: "Verbosity",
    topP: "Top P",
    frequencyPenalty: "Frequency penalty",
    presencePenalty: "Presence penalty",
    seed: "Seed",
  },
  levels: {
    none: "none",
    minimal: "minimal",
    low: "low",
    medium: "medium",
    high: "high",
    xhigh: "very high",
  } as Record<string, string>,
};

const de = {
  ofModel: "wie das Modell",
  names: {
    reasoningEffort: "Aufwand beim Nachdenken",
    verbosity: "Ausführlichkeit",
    topP: "Top P",
    frequencyPenalty: "Abzug für häufige Wörter",
    presencePenalty: "Abzug für schon genannte Wörter",
    seed: "Startwert",
  },
  levels: {
    none: "ohne",
    minimal: "minimal",
    low: "gering",
    medium: "mittel",
    high: "hoch",
    xhigh: "sehr hoch",
  },
} satisfies typeof en;

const useParameterTexts = inLanguages({ en, de });
