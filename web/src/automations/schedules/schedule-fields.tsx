import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAutomationTexts } from "../texts.ts";
import type { Fields } from "./editor.tsx";
import { useScheduleTexts } from "./texts.ts";

interface ScheduleFieldsProps {
  values: Fields;
  onChange: (changed: Partial<Fields>) => void;
}

/** When a schedule runs, and the input of its agents. */
export function ScheduleFields({ values, onChange }: ScheduleFieldsProps) {
  const texts = useScheduleTexts();
  const shared = useAutomationTexts();
  const zonesId = useId();
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        label={shared.name}
        value={values.name}
        maxLength={200}
        required
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <div className="grid grid-cols-1 gap-2">
        <TextField
          label={texts.when}
          hint={texts.cronHint}
          value={values.cron}
          maxLength={200}
          required
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange({ cron: target.value })}
        />
        <Presets onChoose={(cron) => onChange({ cron })} />
      </div>
      <TextField
        label={texts.timeZone}
        hint={texts.timeZoneHint}
        value={values.timeZone}
        maxLength={100}
        required
        list={zonesId}
        autoComplete="off"
        onChange={({ target }) => onChange({ timeZone: target.value })}
      />
      <datalist id={zonesId}>
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <TextArea
        label={texts.input}
        value={values.input}
        maxLength={100_000}
        required
        onChange={({ target }) => onChange({ input: target.value })}
      />
      <Checkbox
        label={texts.switchedOn}
        checked={values.isActive}
        onChange={({ target }) => onChange({ isActive: target.checked })}
      />
    </div>
  );
}

function Presets({ onChoose }: { onChoose: (cron: string) => void }) {
  const texts = useScheduleTexts();
  return (
    <ul aria-label={texts.examples} className="flex flex-wrap gap-2">
      {Object.entries(texts.presets).map(([cron, label]) => (
        <li key={cron}>
          <Button className="text-xs" onClick={() => onChoose(cron)}>
            {label}
          </Button>
        </li>
      ))}
    </ul>
  );
}
