import { Link } from "@tanstack/react-router";
import { FileText, Languages, type LucideIcon, SpellCheck } from "lucide-react";
import { Markdown } from "../markdown/markdown.tsx";
import { Progress } from "../ui/progress.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { OutputView } from "./output-view.tsx";
import type { Tool } from "./routes.ts";
import { useTextTexts } from "./texts.ts";
import type { Running } from "./use-conversion.ts";

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
export function Result({ tool, running }: ResultProps) {
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
