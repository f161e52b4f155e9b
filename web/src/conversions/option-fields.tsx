import { useId } from "react";
import { useLanguage } from "../texts/language.ts";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Tool } from "./routes.ts";
import { useTextTexts } from "./texts.ts";
import type { Options } from "./work.ts";
import { useModels } from "../shell/use-models.ts";

const LENGTHS = ["short", "medium", "long"] as const;
/** Offered while a language is typed; any other may be typed too. */
const LANGUAGES =
  "ar bg cs da de el en es et fi fr hi hu it ja ko lt lv nl no pl pt ro ru sk sl sv tr uk zh";

interface OptionFieldsProps {
  tool: Tool;
  options: Options;
  onChange: (options: Partial<Options>) => void;
}

/** How the text is converted: language, length, tone and model. */
export function OptionFields({ tool, options, onChange }: OptionFieldsProps) {
  const texts = useTextTexts();
  const known = useModels();
  const models = known ?? [];
  const { targetLanguage, tone, length, model } = options;
  const isOffered = model === "" || models.some(({ id }) => id === model);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {tool !== "grammar" && (
        <LanguageField
          value={targetLanguage}
          isRequired={tool === "translation"}
          onChange={(next) => onChange({ targetLanguage: next })}
        />
      )}
      {tool === "summarisation" && (
        <SelectField
          label={texts.length}
          value={length}
          onChange={({ target }) =>
            onChange({ length: LENGTHS.find((one) => one === target.value) ?? "medium" })
          }
        >
          {LENGTHS.map((one) => (
            <option key={one} value={one}>
              {texts.lengths[one]}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={texts.tone}
        value={tone}
        maxLength={100}
        placeholder={texts.toneHint}
        onChange={(event) => onChange({ tone: event.target.value })}
      />
      <SelectField
        label={texts.model}
        value={isOffered || !known ? model : ""}
        onChange={(event) => onChange({ model: event.target.value })}
      >
        <option value="">{texts.defaultModel}</option>
        {!isOffered && !known && <option value={model}>{model}</option>}
        {models.map(({ id, displayName, providerName }) => (
          <option key={id} value={id}>
            {`${displayName} (${providerName})`}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

interface LanguageFieldProps {
  value: string;
  isRequired: boolean;
  onChange: (language: string) => void;
}

function LanguageField({ value, isRequired, onChange }: LanguageFieldProps) {
  const texts = useTextTexts();
  const listId = useId();
  const names = new Intl.DisplayNames(useLanguage(), { type: "language" });
  return (
    <>
      <TextField
        label={isRequired ? texts.into : texts.inLanguage}
        value={value}
        list={listId}
        minLength={2}
        maxLength={50}
        required={isRequired}
        placeholder={isRequired ? "" : texts.ownLanguage}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {LANGUAGES.split(" ").map((code) => (
          <option key={code} value={names.of(code)} />
        ))}
      </datalist>
    </>
  );
}
