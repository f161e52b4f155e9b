import { useNavigate, useSearch, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Permitted } from "../shell/permitted.tsx";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { OptionFields } from "./option-fields.tsx";
import { type Options, loadWork, saveWork } from "./work.ts";
import type { NewConversion } from "./queries.ts";
import { type Tool, TOOLS } from "./routes.ts";
import { SourceButtons } from "./source-buttons.tsx";
import { useTextTexts } from "./texts.ts";
import { useConversion, type Running } from "./use-conversion.ts";
import { FileText, Languages, type LucideIcon, SpellCheck } from "lucide-react";
import { Markdown } from "../markdown/markdown.tsx";
import { Progress } from "../ui/progress.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { OutputView } from "./output-view.tsx";

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
    <fieldset
      disabled={isDisabled}
      className="flex flex-wrap gap-0.5 justify-self-start rounded-md bg-sunken p-0.5"
    >
      <legend className="sr-only">{texts.tool}</legend>
      {TOOLS.map((one) => (
        <label
          key={one}
          className={
            "flex min-h-8 items-center rounded px-3.5 py-1 text-muted hover:text-ink " +
            "has-checked:bg-thumb has-checked:font-medium has-checked:text-ink " +
            "has-checked:shadow-1 " +
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

const ICONS: Record<Tool, LucideIcon> = {
  grammar: SpellCheck,
  translation: Languages,
  summarisation: FileText,
};

interface ResultProps {
  tool: Tool;
  /** Absent: nothing was converted yet. */
  running: Running | undefined;
}

/** The result of a conversion while it streams. */
function Result({ tool, running }: ResultProps) {
  const texts = useTextTexts();
  if (!running)
    return (
      <div className="grid content-center">
        <Empty icon={ICONS[tool]} title={texts.tools[tool]}>
          {texts.hints[tool]}
        </Empty>
      </div>
    );
  const { text, isRunning, isStopped, progress, result, error, id } = running;
  return (
    <section
      aria-label={texts.result}
      aria-busy={isRunning}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3"
    >
      {isRunning && progress && (
        <div className="grid gap-1">
          <Progress label={texts.result} value={progress.done / progress.of} />
          <p className="text-xs text-muted">{texts.pieces(progress.done, progress.of)}</p>
        </div>
      )}
      {isRunning && text === "" && (
        <p className="animate-late animate-pulse text-muted">{texts.working}</p>
      )}
      {result ? (
        <OutputView conversion={result} />
      ) : (
        <div className="rounded-lg border border-hairline bg-raised p-4 empty:hidden">
          {text !== "" && <Markdown text={text} isGrowing={isRunning} />}
        </div>
      )}
      {isStopped && <p className="text-muted">{texts.stopped}</p>}
      {error && <Problem error={error} />}
      {!isRunning && id && (
        <Link
          to="/text/kept/$id"
          params={{ id }}
          className="inline-flex min-h-6 items-center justify-self-start text-accent underline"
        >
          {texts.openKept}
        </Link>
      )}
    </section>
  );
}
