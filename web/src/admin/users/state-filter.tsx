import { PickField } from "../../ui/pick-field.tsx";
import { useUserTexts } from "./texts.ts";

const STATES = ["active", "disabled"] as const;

interface StateFilterProps {
  value: string | undefined;
  /** Called with `undefined` for any. */
  onChange: (state: string | undefined) => void;
}

/** Narrows a list of users to those who may sign in, or may not. */
export function StateFilter({ value, onChange }: StateFilterProps) {
  const texts = useUserTexts();
  return (
    <PickField
      label={texts.state}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{texts.anyState}</option>
      {STATES.map((state) => (
        <option key={state} value={state}>
          {texts[state]}
        </option>
      ))}
    </PickField>
  );
}
