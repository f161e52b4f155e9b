import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Permitted } from "../shell/permitted.tsx";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { OptionFields } from "./option-fields.tsx";
import { type Options, loadWork, saveWork } from "./work.ts";
import type { NewConversion } from "./queries.ts";
import { Result } from "./result.tsx";
import { type Tool, TOOLS } from "./routes.ts";
import { SourceButtons } from "./source-buttons.tsx";
import { useTextTexts } from "./texts.ts";
import { useConversion } from "./use-conversion.ts";

export const MAX_CHARACTERS = 2_000_000;

/** A text with its conversion, and the result beside it. */
export function Tools() {
  return (
    <Permitted permission="conversion:create">
      <Conversion />
    </Permitted>
  );
}

function Conversion() {
  const texts = useTextTexts();
  const { tool = "grammar" } = useSearch({ from: "/app/text/" });
  const { work, change } = useWork();
  const conversion = useConversion();
  const { running } = conversion;
  const start = () => {
    if (running?.isRunning) return;
    void conversion.start(toBody(tool, work.text, work.options));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 lg:grid-cols-2">
      <form
        className="grid content-start gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <ToolChoice
          tool={tool}
          isDisabled={running?.isRunning ?? false}
          onChoose={conversion.clear}
        />
        <TextArea
          label={texts.text}
          value={work.text}
          maxLength={MAX_CHARACTERS}
          rows={10}
          required
          dir="auto"
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <SourceButtons onText={(text) => change({ text: text.slice(0, MAX_CHARACTERS) })} />
        <OptionFields
          tool={tool}
          options={work.options}
          onChange={(options) => change({ options: { ...work.options, ...options } })}
        />
        <div className="flex flex-wrap gap-2">
          {/* keys: a click on one must not reach the other, which takes its place */}
          {running?.isRunning ? (
            <Button key="stop" onClick={conversion.stop}>
              {texts.stop}
            </Button>
          ) : (
            <Button key="start" type="submit" look="primary">
              {texts.actions[tool]}
            </Button>
          )}
        </div>
      </form>
      <Result tool={tool} running={running} />
    </div>
  );
}

/** The text and the options, which outlive the page. */
function useWork() {
  const [work, setWork] = useState(loadWork);
  const change = (next: Partial<typeof work>) => {
    const changed = { ...work, ...next };
    saveWork(changed);
    setWork(changed);
  };
  return { work, change };
}

interface ToolChoiceProps {
  tool: Tool;
  isDisabled: boolean;
  onChoose: () => void;
}

function ToolChoice({ tool, isDisabled, onChoose }: ToolChoiceProps) {
  const texts = useTextTexts();
  const navigate = useNavigate();
  return (
    <fieldset disabled={isDisabled} className="flex flex-wrap gap-1">
      <legend className="sr-only">{texts.tool}</legend>
      {TOOLS.map((one) => (
        <label
          key={one}
          className={
            "flex min-h-8 items-center rounded-md border border-control px-3 py-1 " +
            "has-checked:border-accent has-checked:bg-sunken has-checked:font-medium " +
            "has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
          }
        >
          <input
            type="radio"
            name="tool"
            value={one}
            checked={one === tool}
            onChange={() => {
              onChoose();
              void navigate({ to: "/text", search: { tool: one }, replace: true });
            }}
            className="sr-only"
          />
          {texts.tools[one]}
        </label>
      ))}
    </fieldset>
  );
}

function toBody(tool: Tool, text: string, options: Options): NewConversion {
  const { targetLanguage, tone, length, model } = options;
  return {
    type: tool,
    text,
    ...(tool !== "grammar" &&
      targetLanguage.trim() && { targetLanguage: targetLanguage.trim() }),
    options: {
      ...(tone.trim() && { tone: tone.trim() }),
      ...(tool === "summarisation" && { length }),
    },
    ...(model && { model }),
  };
}
