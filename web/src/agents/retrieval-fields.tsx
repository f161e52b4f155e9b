import { formatNumber } from "../texts/format.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field } from "../ui/field.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { FieldsProps } from "./fields.ts";
import { NEW_RETRIEVAL } from "./fields.ts";
import type { AgentFields } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

type Retrieval = NonNullable<AgentFields["retrieval"]>;
const MODES = ["step", "tool", "both"] as const;

/** How passages are looked for. */
export function RetrievalFields({ fields, change }: FieldsProps) {
  const texts = useAgentTexts();
  const { retrieval, type } = fields;
  const usual: Retrieval = { ...NEW_RETRIEVAL, docIds: [] };
  const set = (changes: Partial<Retrieval>) =>
    change({ retrieval: { ...usual, ...retrieval, ...changes } });
  const shown = retrieval ?? (type === "cortex" ? usual : undefined);
  return (
    <div className="grid gap-4">
      {type === "organization" && (
        <Checkbox
          label={texts.answersFromDocuments}
          checked={retrieval !== null}
          onChange={(event) => change({ retrieval: event.target.checked ? usual : null })}
        />
      )}
      {shown && (
        <>
          <div className="grid items-start gap-4 sm:grid-cols-3">
            <SelectField
              label={texts.mode}
              hint={texts.modeHints[shown.mode]}
              value={shown.mode}
              onChange={({ target }) =>
                set({ mode: MODES.find((mode) => mode === target.value) ?? "step" })
              }
            >
              {MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {texts.modes[mode]}
                </option>
              ))}
            </SelectField>
            <TextField
              label={texts.topK}
              hint={texts.topKHint}
              type="number"
              min={5}
              max={50}
              required
              value={Number.isFinite(shown.topK) ? shown.topK : ""}
              onChange={({ target }) => set({ topK: target.valueAsNumber })}
            />
            <Range
              label={texts.grade}
              hint={texts.gradeHint}
              value={shown.grade}
              onChange={(grade) => set({ grade })}
            />
          </div>
          <RerankFields rerank={shown.rerank} onChange={(rerank) => set({ rerank })} />
        </>
      )}
    </div>
  );
}

interface RerankProps {
  rerank: Retrieval["rerank"];
  onChange: (rerank: Retrieval["rerank"]) => void;
}

function RerankFields({ rerank, onChange }: RerankProps) {
  const texts = useAgentTexts();
  const isOn = rerank?.enabled ?? false;
  return (
    <div className="grid gap-3">
      <Checkbox
        label={texts.rerank}
        hint={texts.rerankHint}
        checked={isOn}
        onChange={({ target }) =>
          onChange(target.checked ? { ...rerank, enabled: true } : undefined)
        }
      />
      {isOn && rerank && (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <SelectField
            label={texts.strategy}
            value={rerank.strategy ?? ""}
            onChange={({ target }) =>
              onChange({ ...rerank, strategy: toStrategy(target.value) })
            }
          >
            <option value="">{texts.usualStrategy}</option>
            <option value="bge">{texts.strategies.bge}</option>
            <option value="llm">{texts.strategies.llm}</option>
          </SelectField>
          <TextField
            label={texts.kept}
            hint={texts.keptHint}
            type="number"
            min={1}
            max={50}
            value={rerank.topK ?? ""}
            onChange={({ target }) =>
              onChange({
                ...rerank,
                topK: target.value === "" ? undefined : target.valueAsNumber,
              })
            }
          />
          <Range
            label={texts.score}
            hint={texts.scoreHint}
            value={rerank.score ?? 0}
            onChange={(score) => onChange({ ...rerank, score })}
          />
        </div>
      )}
    </div>
  );
}

interface RangeProps {
  label: string;
  hint: string;
  /** From 0 to 1. */
  value: number;
  onChange: (value: number) => void;
}

function Range({ label, hint, value, onChange }: RangeProps) {
  const shown = formatNumber(value, { minimumFractionDigits: 2 });
  return (
    <Field label={`${label}: ${shown}`} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={value}
          onChange={({ target }) => onChange(target.valueAsNumber)}
          className="min-h-9 w-full accent-accent"
        />
      )}
    </Field>
  );
}

function toStrategy(value: string): "bge" | "llm" | undefined {
  return value === "bge" || value === "llm" ? value : undefined;
}
