import { Copy } from "lucide-react";
import { Markdown } from "../markdown/markdown.tsx";
import { formatDuration } from "../texts/format-duration.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy-text.ts";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Problem } from "../ui/states.tsx";
import { useFlowTexts } from "./texts.ts";
import type { FlowRun } from "./use-flow-run.ts";

/** What a run of a flow put out so far. */
export function Output({ run }: { run: FlowRun }) {
  const texts = useFlowTexts();
  const { status, text, result, error } = run;
  const copy = () => copyText(text).then(() => notify(texts.copied));
  const note = {
    running: texts.running,
    stopped: texts.stopped,
    failed: undefined,
    done: result && texts.took(formatDuration(result.durationMs)),
  }[status];
  return (
    <Section
      title={texts.output}
      hint={note && <span role="status">{note}</span>}
      actions={
        text !== "" &&
        status !== "running" && (
          <Button look="quiet" onClick={() => void copy()}>
            <Copy aria-hidden size={15} />
            {texts.copy}
          </Button>
        )
      }
    >
      {text !== "" && <Markdown text={text} isGrowing={status === "running"} />}
      {status === "done" && text === "" && <p className="text-muted">{texts.noOutput}</p>}
      {error && <Problem error={error} />}
      {result && result.outputs.length > 1 && <Parts outputs={result.outputs} />}
    </Section>
  );
}

/** The outputs of each component of the flow. */
function Parts({ outputs }: { outputs: NonNullable<FlowRun["result"]>["outputs"] }) {
  const texts = useFlowTexts();
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-muted">{texts.more}</summary>
      <dl className="grid grid-cols-1 gap-3 py-3">
        {outputs.map(({ component, text, data }, index) => (
          <div key={index}>
            <dt className="font-medium">
              <bdi>{component}</bdi>
            </dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">
              <bdi>{text ?? JSON.stringify(data, null, 2)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
