import { usePermission } from "../shell/queries.ts";
import { SelectField } from "../ui/select-field.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { FieldsProps } from "./agent-form.tsx";
import { withType } from "./fields.ts";
import { IconField } from "./icon-field.tsx";
import { useAgentTexts } from "./texts.ts";

const TYPES = ["simple", "cortex", "workflow", "organization"] as const;

/** The identity of an agent: name, icon, purpose and type. */
export function IdentityFields({ fields, change, isReadOnly }: FieldsProps) {
  const texts = useAgentTexts();
  const administers = usePermission("agent:administer");
  const { type } = fields;
  const types = TYPES.filter(
    (one) => one !== "organization" || administers || one === type,
  );
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <IconField value={fields.icon} isReadOnly={isReadOnly} onChange={change} />
        <TextField
          label={texts.fields.name}
          value={fields.name}
          maxLength={200}
          required
          dir="auto"
          className="min-w-0 flex-1 basis-56"
          onChange={(event) => change({ name: event.target.value })}
        />
        <SelectField
          label={texts.fields.type}
          value={type}
          className="min-w-0 flex-1 basis-56 sm:flex-none"
          onChange={(event) => {
            const chosen = types.find((one) => one === event.target.value);
            if (chosen) change(withType(chosen, fields));
          }}
        >
          {type === "system" && <option value="system">{texts.types.system}</option>}
          {types.map((one) => (
            <option key={one} value={one}>
              {texts.types[one]}
            </option>
          ))}
        </SelectField>
      </div>
      <p className="-mt-2 text-xs text-muted">{texts.typeHints[type]}</p>
      <TextArea
        label={texts.fields.description}
        hint={texts.descriptionHint}
        value={fields.description}
        maxLength={4_000}
        rows={2}
        dir="auto"
        onChange={(event) => change({ description: event.target.value })}
      />
    </div>
  );
}
