import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import type { Label, LabelColor, NewLabel } from "../../shell/labels/queries.ts";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SharingField } from "./sharing-field.tsx";
import { useLabelAdminTexts } from "./texts.ts";
import { useList } from "../../shell/use-list.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { More } from "../../ui/more.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { providersQuery } from "../models/queries.ts";

interface LabelDialogProps {
  title: string;
  action: string;
  /** The label to change; undefined for a new one. */
  label?: Label;
  run: (fields: NewLabel) => Promise<unknown>;
  onClose: () => void;
}

/** The name of a label, and its rule. */
export function LabelDialog({ title, action, label, run, onClose }: LabelDialogProps) {
  const texts = useLabelAdminTexts();
  const [providers, setProviders] = useState(label?.providers ?? null);
  const [sharing, setSharing] = useState(label?.sharing ?? null);
  const save = useChange({ run, keys: [["labels"]], onDone: onClose });
  return (
    <FormDialog
      title={title}
      size="medium"
      action={action}
      busy={save.isPending}
      error={save.error}
      onSubmit={(fields) =>
        save.mutate({
          name: textOf(fields, "name"),
          description: textOf(fields, "description"),
          // the options of the selects are those of the rule
          color: textOf(fields, "color") as LabelColor,
          openWorld: textOf(fields, "openWorld") as Label["openWorld"],
          removal: textOf(fields, "removal") as Label["removal"],
          providers,
          sharing,
        })
      }
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        name="name"
        defaultValue={label?.name}
        maxLength={100}
        required
        autoFocus
      />
      <TextArea
        label={texts.description}
        name="description"
        defaultValue={label?.description}
        maxLength={1_000}
        rows={2}
      />
      <Options
        label={texts.color}
        name="color"
        options={texts.colors}
        value={label?.color ?? "plain"}
      />
      <ProvidersField value={providers} onChange={setProviders} />
      <Options
        label={texts.openWorld}
        hint={texts.openWorldHint}
        name="openWorld"
        options={texts.openWorldOptions}
        value={label?.openWorld ?? "ask"}
      />
      <SharingField value={sharing} onChange={setSharing} />
      <Options
        label={texts.removal}
        name="removal"
        options={texts.removalOptions}
        value={label?.removal ?? "administrators"}
      />
    </FormDialog>
  );
}

interface OptionsProps {
  label: string;
  hint?: string;
  name: string;
  options: Record<string, string>;
  value: string;
}

function Options({ options, value, ...field }: OptionsProps) {
  return (
    <SelectField {...field} defaultValue={value}>
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

interface FieldProps {
  /** null: all. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
}

/** The providers whose models may read what carries the label. */
function ProvidersField({ value, onChange }: FieldProps) {
  const texts = useLabelAdminTexts();
  return (
    <fieldset>
      <legend className="font-medium">{texts.providers}</legend>
      <Checkbox
        type="radio"
        name="providers"
        checked={value === null}
        onChange={() => onChange(null)}
        label={texts.providersAll}
      />
      <Checkbox
        type="radio"
        name="providers"
        checked={value !== null}
        onChange={() => onChange(value ?? [])}
        label={texts.providersSome}
      />
      {value !== null && <Chosen value={value} onChange={onChange} />}
    </fieldset>
  );
}

function Chosen({ value, onChange }: { value: string[]; onChange: (v: string[]) => void }) {
  const list = useList(providersQuery);
  const listed = list.data?.items.map(({ name }) => name) ?? [];
  // a rule may name a provider that is gone
  const names = [...new Set([...listed, ...value])];
  return (
    <div className="ml-6 grid">
      {list.isPending && <Loading lines={2} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {names.map((name) => (
        <Checkbox
          key={name}
          checked={value.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...value, name] : value.filter((one) => one !== name))
          }
          label={<bdi className="wrap-anywhere">{name}</bdi>}
        />
      ))}
      <More list={list} />
    </div>
  );
}
