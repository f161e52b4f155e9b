import { Circle, CircleCheck, LoaderCircle } from "lucide-react";
import type { ResearchState } from "../../../src/services/core/research/contract-state.ts";
import { toStoredFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import type { ToolCall } from "./reply-state.ts";
import { useResearchTexts } from "./research-texts.ts";

interface ResearchCardProps {
  research: ResearchState;
  tools: readonly ToolCall[];
}

const ICONS = { open: Circle, running: LoaderCircle, done: CircleCheck };

/** The plan of a research as a checklist, with what is used of its budget. */
export function ResearchCard({ research, tools }: ResearchCardProps) {
  const texts = useResearchTexts();
  const { steps, used, budget, unread } = research;
  const running = new Set(tools.flatMap(runningStep));
  return (
    <section
      aria-label={texts.title}
      className="grid gap-2 rounded-lg border border-hairline bg-raised p-4 text-sm"
    >
      <ol className="grid gap-1.5">
        {steps.map(({ title, done }, at) => {
          const state = running.has(at + 1) ? "running" : done ? "done" : "open";
          const Icon = ICONS[state];
          return (
            <li key={at} className="flex gap-2">
              <Icon
                aria-hidden
                size={16}
                className={`mt-0.5 shrink-0 ${state === "open" ? "text-muted" : "text-accent"}`}
              />
              <bdi className="min-w-0 wrap-anywhere">{title}</bdi>
              <span className="sr-only">{texts.states[state]}</span>
            </li>
          );
        })}
      </ol>
      <p className="text-xs text-muted">
        {texts.used(
          texts.of(used.searches, budget.searches),
          texts.of(used.pages, budget.pages),
        )}
      </p>
      {unread.length > 0 && (
        <details className="text-xs text-muted">
          <summary className="min-h-6 pointer-coarse:min-h-11">
            {texts.unread(unread.length)}
          </summary>
          <ul className="mt-1 grid gap-1.5">
            {unread.map((page) => (
              <UnreadPage key={page.url} page={page} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function UnreadPage({ page: { url, problem } }: { page: ResearchState["unread"][number] }) {
  const reason = useErrorText(toStoredFailure(problem));
  return (
    <li className="wrap-anywhere">
      <bdi>{url}</bdi>
      <br />
      {reason}
    </li>
  );
}

/** The number of the step that a call still looks into. */
function runningStep({ name, content, arguments: given }: ToolCall): number[] {
  const { step } = given;
  const runs = name === "investigate" && content === undefined;
  return runs && typeof step === "number" ? [step] : [];
}
