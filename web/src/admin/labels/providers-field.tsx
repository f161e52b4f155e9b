import { useList } from "../../shell/use-list.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { More } from "../../ui/more.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { providersQuery } from "../models/queries.ts";
import { useLabelAdminTexts } from "./texts.ts";

interface FieldProps {
  /** null: all. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
}

/** The providers whose models may read what carries the label. */
export function ProvidersField({ value, onChange }: FieldProps) {
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
