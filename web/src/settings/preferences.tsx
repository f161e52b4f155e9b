import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { density, textSize } from "../shell/display.ts";
import { type SaveState, useChoose } from "../shell/preferences.ts";
import { type PreferenceChange, preferencesQuery } from "../shell/preferences-queries.ts";
import { useShellTexts } from "../shell/texts.ts";
import { theme } from "../shell/theme.ts";
import { useModels } from "../shell/use-models.ts";
import { LANGUAGES, useLanguage } from "../texts/language.ts";
import { ChoiceCards } from "../ui/choice-cards.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { DensityPicture, SizePicture, ThemePicture } from "./look-pictures.tsx";
import { useSettingsTexts } from "./texts.ts";

type Choose = (change: PreferenceChange) => void;

/** How the app looks and what conversations begin with, on every device of the person. */
export function Preferences() {
  const { preferences: texts } = useSettingsTexts();
  const { themes } = useShellTexts();
  const [saved, setSaved] = useState<SaveState>();
  const choose = useChoose(setSaved);
  return (
    <div className="grid max-w-measure grid-cols-1 gap-4">
      <p className="text-muted">{texts.hint}</p>
      <Saved state={saved} />
      <Card>
        <ChoiceCards
          label={texts.theme}
          value={theme.use()}
          onChoose={(value) => choose({ theme: value })}
          options={(["light", "dark", "system"] as const).map((value) => ({
            value,
            name: themes[value],
            picture: <ThemePicture theme={value} />,
          }))}
        />
      </Card>
      <Card>
        <ChoiceCards
          label={texts.textSize}
          hint={texts.textSizeHint}
          value={textSize.use()}
          onChoose={(value) => choose({ textSize: value })}
          options={(["small", "normal", "large", "larger"] as const).map((value) => ({
            value,
            name: texts.textSizes[value],
            picture: <SizePicture size={value} />,
          }))}
        />
        <Sample />
      </Card>
      <Card>
        <ChoiceCards
          label={texts.density}
          hint={texts.densityHint}
          value={density.use()}
          onChoose={(value) => choose({ density: value })}
          options={density.choices.map((value) => ({
            value,
            name: texts.densities[value],
            picture: <DensityPicture density={value} />,
          }))}
        />
      </Card>
      <Card>
        <ChoiceCards
          label={texts.language}
          hint={texts.languageHint}
          value={useLanguage()}
          onChoose={(value) => choose({ language: value })}
          options={LANGUAGE_OPTIONS}
        />
      </Card>
      <Card>
        <DefaultModel choose={choose} />
      </Card>
      <Card>
        <div>
          <h2 className="text-lg">{texts.keyboard}</h2>
          <p className="text-muted">{texts.keyboardHint}</p>
        </div>
      </Card>
    </div>
  );
}

const LANGUAGE_OPTIONS = (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).map(
  (value) => ({ value, name: LANGUAGES[value], lang: value }),
);

function Card({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-4 rounded-lg border border-hairline bg-raised p-4 sm:p-5">
      {children}
    </div>
  );
}

/** Whether the server has what was chosen last; a refusal is a notice besides. */
function Saved({ state }: { state: SaveState | undefined }) {
  const { preferences: texts } = useSettingsTexts();
  return (
    <div className="sticky top-15 z-10 -mt-4 flex h-0 justify-end pr-3">
      <p
        role="status"
        className={
          "mt-3 inline-flex h-8 items-center gap-1.5 rounded-full border border-hairline-strong " +
          "bg-page px-3 text-sm shadow-2 empty:hidden"
        }
      >
        {state === "saved" && <Check aria-hidden size={16} className="text-ok" />}
        {state && texts.states[state]}
      </p>
    </div>
  );
}

/** An exchange as it stands in a conversation: every size and distance shows in it at once. */
function Sample() {
  const { preferences: texts } = useSettingsTexts();
  return (
    <figure className="grid gap-3 rounded-md border border-hairline bg-page p-4">
      <figcaption className="text-xs font-medium text-muted">{texts.sample}</figcaption>
      <p className="justify-self-end border-r-2 border-hairline-strong pr-3">
        {texts.sampleQuestion}
      </p>
      <div className="grid gap-2 text-base">
        <p>{texts.sampleAnswer}</p>
        <blockquote className="border-l-2 border-accent-line pl-3 font-serif">
          {texts.sampleQuote}
        </blockquote>
      </div>
    </figure>
  );
}

function DefaultModel({ choose }: { choose: Choose }) {
  const { preferences: texts } = useSettingsTexts();
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
      className="max-w-md"
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
