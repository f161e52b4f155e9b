import { useQuery } from "@tanstack/react-query";
import { density, textSize } from "../shell/display.ts";
import { useChoose } from "../shell/preferences.ts";
import { preferencesQuery } from "../shell/preferences-queries.ts";
import { useShellTexts } from "../shell/texts.ts";
import { theme } from "../shell/theme.ts";
import { useModels } from "../shell/use-models.ts";
import { LANGUAGES, useLanguage } from "../texts/language.ts";
import { SelectField } from "../ui/select-field.tsx";
import { useSettingsTexts } from "./texts.ts";

/** How the app looks and what conversations begin with, on every device of the person. */
export function Preferences() {
  const { preferences: texts } = useSettingsTexts();
  const { themes } = useShellTexts();
  const choose = useChoose();
  return (
    <div className="grid max-w-md gap-5">
      <p className="text-muted">{texts.hint}</p>
      <SelectField
        label={texts.theme}
        value={theme.use()}
        onChange={({ target }) => choose({ theme: target.value })}
      >
        {theme.choices.map((key) => (
          <option key={key} value={key}>
            {themes[key]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.language}
        value={useLanguage()}
        onChange={({ target }) => choose({ language: target.value })}
      >
        {Object.entries(LANGUAGES).map(([key, name]) => (
          <option key={key} value={key} lang={key}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.textSize}
        value={textSize.use()}
        onChange={({ target }) => choose({ textSize: target.value })}
      >
        {(["small", "normal", "large", "larger"] as const).map((key) => (
          <option key={key} value={key}>
            {texts.textSizes[key]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.density}
        hint={texts.densityHint}
        value={density.use()}
        onChange={({ target }) => choose({ density: target.value })}
      >
        {density.choices.map((key) => (
          <option key={key} value={key}>
            {texts.densities[key]}
          </option>
        ))}
      </SelectField>
      <DefaultModel />
      <div>
        <h2 className="font-sans text-md font-medium">{texts.keyboard}</h2>
        <p className="text-muted">{texts.keyboardHint}</p>
      </div>
    </div>
  );
}

function DefaultModel() {
  const { preferences: texts } = useSettingsTexts();
  const choose = useChoose();
  const models = useModels();
  const { data: chosen } = useQuery(preferencesQuery);
  const model = chosen?.model ?? "";
  const isGone =
    models !== undefined && model !== "" && !models.some(({ id }) => id === model);
  return (
    <SelectField
      label={texts.model}
      hint={isGone ? texts.modelGone : texts.modelHint}
      value={model}
      onChange={({ target }) => choose({ model: target.value || null })}
    >
      <option value="">{texts.lastModel}</option>
      {isGone && <option value={model}>{model}</option>}
      {models?.map(({ id, displayName }) => (
        <option key={id} value={id}>
          {displayName}
        </option>
      ))}
    </SelectField>
  );
}
