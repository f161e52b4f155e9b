import {
  chooseLanguage,
  type Language,
  LANGUAGES,
  useLanguage,
} from "../texts/language.ts";
import { useShellTexts } from "../shell/texts.ts";
import { chooseTheme, type Theme, THEMES, useTheme } from "../shell/theme.ts";
import { SelectField } from "../ui/select-field.tsx";
import { useSettingsTexts } from "./texts.ts";

export function Preferences() {
  const { preferences: texts } = useSettingsTexts();
  const { themes } = useShellTexts();
  const theme = useTheme();
  const language = useLanguage();
  return (
    <div className="grid max-w-md gap-5">
      <SelectField
        label={texts.theme}
        hint={texts.hint}
        value={theme}
        onChange={(event) => chooseTheme(event.target.value as Theme)} // of the options below
      >
        {THEMES.map((key) => (
          <option key={key} value={key}>
            {themes[key]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.language}
        hint={texts.hint}
        value={language}
        onChange={(event) => chooseLanguage(event.target.value as Language)} // of the options below
      >
        {Object.entries(LANGUAGES).map(([key, name]) => (
          <option key={key} value={key} lang={key}>
            {name}
          </option>
        ))}
      </SelectField>
      <div>
        <h2 className="font-sans text-sm font-medium">{texts.keyboard}</h2>
        <p className="text-muted">{texts.keyboardHint}</p>
      </div>
    </div>
  );
}
