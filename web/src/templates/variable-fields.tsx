import { Checkbox } from "../ui/checkbox.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Variable } from "./queries.ts";
import { useTemplateTexts } from "./texts.ts";

interface VariableFieldsProps {
  variables: readonly Variable[];
  onChange: (variables: Variable[]) => void;
}

/** The question for each gap, and its default. */
export function VariableFields({ variables, onChange }: VariableFieldsProps) {
  const texts = useTemplateTexts();
  const change = (name: string, more: Partial<Variable>) =>
    onChange(variables.map((one) => (one.name === name ? { ...one, ...more } : one)));
  return (
    <ul className="grid gap-3">
      {variables.map((variable) => {
        const { name, label, required } = variable;
        return (
          <li key={name} className="grid gap-3 rounded-lg border border-hairline p-3">
            <code className="font-mono text-xs wrap-anywhere">{`{{${name}}}`}</code>
            <div className="flex flex-wrap items-end gap-3">
              <TextField
                label={texts.label}
                value={label}
                maxLength={200}
                required
                className="min-w-0 flex-1 basis-40"
                onChange={(event) => change(name, { label: event.target.value })}
              />
              <TextField
                label={texts.usual}
                value={variable.default ?? ""}
                maxLength={10_000}
                className="min-w-0 flex-1 basis-40"
                onChange={(event) => change(name, { default: event.target.value || null })}
              />
              <Checkbox
                label={texts.required}
                checked={required}
                onChange={(event) => change(name, { required: event.target.checked })}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
