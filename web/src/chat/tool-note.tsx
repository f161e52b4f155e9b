import { Wrench } from "lucide-react";
import { formatNumber } from "../texts/format.ts";
import type { ToolRun } from "./reply-state.ts";
import { useToolName } from "./tool-name.ts";
import { useChatTexts } from "./texts.ts";

const MAX_SHOWN_CHARACTERS = 4_000;

/** A tool call: what runs, what it was given, what came back. */
export function ToolNote({ tool }: { tool: ToolRun }) {
  const texts = useChatTexts();
  const { title, origin } = useToolName(tool.name);
  return (
    <details className="rounded-md border-l-2 border-hairline px-2 py-1 open:bg-sunken">
      <summary className="flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11">
        <Wrench aria-hidden size={13} className="shrink-0" />
        <bdi className="min-w-0 truncate font-medium" title={origin ?? tool.name}>
          {title}
        </bdi>
        <span className={tool.isError ? "text-danger" : "text-muted"}>
          {useOutcome(tool)}
        </span>
      </summary>
      <Part title={texts.toolInput} text={JSON.stringify(tool.arguments, null, 2)} />
      {tool.content !== undefined && <Part title={texts.toolOutput} text={tool.content} />}
    </details>
  );
}

function useOutcome({ content, isError, durationMs = 0 }: ToolRun): string {
  const texts = useChatTexts();
  if (content === undefined) return texts.running;
  if (isError) return texts.toolFailed;
  return texts.ran(formatNumber(durationMs / 1000, { maximumFractionDigits: 1 }));
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <>
      <p className="mt-1 text-muted">{title}</p>
      <pre
        dir="auto"
        tabIndex={0}
        className="max-h-48 overflow-auto whitespace-pre-wrap font-mono"
      >
        {text.slice(0, MAX_SHOWN_CHARACTERS)}
        {text.length > MAX_SHOWN_CHARACTERS && "…"}
      </pre>
    </>
  );
}
