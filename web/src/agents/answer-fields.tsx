import { useQuery } from "@tanstack/react-query";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { FieldsProps } from "./agent-form.tsx";
import { modelsQuery } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

/** Which model answers and how freely, and which tool calls wait for a decision. */
export function AnswerFields({ fields, change }: FieldsProps) {
  const texts = useAgentTexts();
  const models = useQuery(modelsQuery).data?.items ?? [];
  const { model, temperature, approval } = fields;
  const isOffered = model === null || models.some(({ id }) => id === model);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <SelectField
        label={texts.fields.model}
        value={model ?? ""}
        onChange={(event) => change({ model: event.target.value || null })}
      >
        <option value="">{texts.defaultModel}</option>
        {!isOffered && <option value={model}>{texts.notOffered(model)}</option>}
        {models.map(({ id, displayName, providerName }) => (
          <option key={id} value={id}>
            {`${displayName} (${providerName})`}
          </option>
        ))}
      </SelectField>
      <TextField
        label={texts.fields.temperature}
        hint={texts.temperatureHint}
        type="number"
        min={0}
        max={2}
        step={0.1}
        value={temperature ?? ""}
        placeholder={texts.ofModel}
        onChange={({ target }) =>
          change({ temperature: target.value === "" ? null : target.valueAsNumber })
        }
      />
      <SelectField
        label={texts.fields.approval}
        hint={texts.approvalHint}
        value={approval}
        onChange={(event) =>
          change({ approval: event.target.value === "always" ? "always" : "destructive" })
        }
      >
        <option value="destructive">{texts.approvals.destructive}</option>
        <option value="always">{texts.approvals.always}</option>
      </SelectField>
    </div>
  );
}
