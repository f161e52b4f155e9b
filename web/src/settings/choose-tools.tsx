import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "../ui/checkbox.tsx";
import { Loading } from "../ui/loading.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toolsToChooseQuery } from "./tool-queries.ts";
import { useSettingsTexts } from "./texts.ts";

interface ChooseToolsProps {
  legend: string;
  /** Servers, and tools as `server/tool`; undefined: all. */
  value: readonly string[] | undefined;
  onChange: (value: readonly string[] | undefined) => void;
}

/** All tools that the person may use, or some: whole servers, or single tools. */
export function ChooseTools({ legend, value, onChange }: ChooseToolsProps) {
  const { chooseTools: texts } = useSettingsTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-medium">{legend}</legend>
      <Checkbox
        type="radio"
        label={texts.all}
        checked={value === undefined}
        onChange={() => onChange(undefined)}
      />
      <Checkbox
        type="radio"
        label={texts.some}
        checked={value !== undefined}
        onChange={() => onChange(value ?? [])}
      />
      {value && <Some value={value} onChange={onChange} />}
    </fieldset>
  );
}

interface SomeProps {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

function Some({ value, onChange }: SomeProps) {
  const { chooseTools: texts } = useSettingsTexts();
  const [words, setWords] = useState("");
  const { data, error } = useQuery(toolsToChooseQuery(words));
  // without the list, and where there is nothing in it, its names are typed
  if (error || (data?.length === 0 && words === ""))
    return <Typed value={value} onChange={onChange} />;
  const toggle = (name: string, isOn: boolean) =>
    onChange(
      isOn
        ? [...value.filter((one) => !one.startsWith(`${name}/`)), name]
        : value.filter((one) => one !== name),
    );
  const found = new Set(
    data?.flatMap(({ server, tools }) => [server, ...tools.map(({ key }) => key)]),
  );
  const box = (name: string, label: string, isWhole = false) => (
    <Checkbox
      key={name}
      label={<bdi>{label}</bdi>}
      checked={isWhole || value.includes(name)}
      disabled={isWhole}
      onChange={({ target }) => toggle(name, target.checked)}
    />
  );
  return (
    <div className="grid gap-2">
      <TextField
        label={texts.find}
        type="search"
        autoComplete="off"
        maxLength={200}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <div
        role="group"
        aria-label={texts.some}
        className="max-h-64 overflow-y-auto rounded-md border border-control p-2"
      >
        {!data && <Loading lines={3} />}
        {data && value.filter((name) => !found.has(name)).map((name) => box(name, name))}
        {data?.map(({ server, tools }) => (
          <div key={server}>
            {box(server, texts.allOf(server))}
            <div className="ml-6">
              {tools.map(({ key, title }) => box(key, title, value.includes(server)))}
            </div>
          </div>
        ))}
        {data?.length === 0 && <p className="text-muted">{texts.none}</p>}
      </div>
    </div>
  );
}

function Typed({ value, onChange }: SomeProps) {
  const { chooseTools: texts } = useSettingsTexts();
  const [text, setText] = useState(value.join("\n"));
  return (
    <TextArea
      label={texts.some}
      hint={texts.typed}
      rows={2}
      maxLength={20_000}
      spellCheck={false}
      isCode
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onChange(target.value.split(/\s+/).filter((one) => one !== ""));
      }}
    />
  );
}
