import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Permitted } from "../shell/permitted.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { flowQuery, type FlowEvent, runFlow } from "./queries.ts";
import { useFlowTexts } from "./texts.ts";
import { useState, useEffect, useRef } from "react";
import { newId } from "../api/new-id.ts";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { Copy } from "lucide-react";
import { Markdown } from "../markdown/markdown.tsx";
import { formatDuration } from "../texts/format-duration.ts";
import { copyText } from "../ui/copy-text.ts";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Failure, toFailure, toReportedFailure } from "../api/failure.ts";

/** `/flows/$id`: runs a flow, and shows what it puts out while it comes. */
export function FlowPage() {
  const texts = useFlowTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(flowQuery(id));
  return (
    <Frame title={data?.name ?? texts.back} back={{ to: "/flows", label: texts.back }}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading shape="fields" lines={4} />}
      {data?.description && (
        <p className="max-w-measure text-muted wrap-anywhere">
          <bdi>{data.description}</bdi>
        </p>
      )}
      {data && (
        <Permitted permission="flow:run">
          <RunForm key={data.id} flowId={data.id} />
        </Permitted>
      )}
    </Frame>
  );
}

const MAX_INPUT_CHARACTERS = 400_000;

/** The input of a flow, and below it what the flow puts out. */
function RunForm({ flowId }: { flowId: string }) {
  const texts = useFlowTexts();
  const mayRun = usePermission("flow:run");
  const { values, change } = useFormDraft(`flow-${flowId}`, { input: "", remembers: true });
  const [sessionId] = useState(newId);
  const { run, start, stop } = useFlowRun(flowId);
  const isRunning = run?.status === "running";
  return (
    <div className="grid max-w-measure grid-cols-1 gap-6">
      <form
        className="grid grid-cols-1 gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning)
            void start(values.input, values.remembers ? sessionId : undefined);
        }}
      >
        <TextArea
          label={texts.input}
          hint={texts.inputHint}
          value={values.input}
          maxLength={MAX_INPUT_CHARACTERS}
          required
          onChange={({ target }) => change({ input: target.value })}
        />
        <Checkbox
          label={texts.remember}
          checked={values.remembers}
          onChange={({ target }) => change({ remembers: target.checked })}
        />
        <div className="flex flex-wrap gap-2">
          {mayRun && (
            <Button type="submit" look="primary" busy={isRunning}>
              {texts.run}
            </Button>
          )}
          {isRunning && <Button onClick={stop}>{texts.stop}</Button>}
        </div>
      </form>
      {run && <Output run={run} />}
    </div>
  );
}

/** What a run of a flow put out so far. */
function Output({ run }: { run: FlowRun }) {
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

type Result = Extract<FlowEvent, { type: "done" }>;

interface FlowRun {
  status: "running" | "done" | "stopped" | "failed";
  text: string;
  result?: Result;
  error?: Failure;
}

/** Runs a flow; its text grows while it comes. Leaving the page ends the run. */
function useFlowRun(flowId: string) {
  const [run, setRun] = useState<FlowRun>();
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (input: string, sessionId: string | undefined) => {
    const current = new AbortController();
    controller.current = current;
    let now: FlowRun = { status: "running", text: "" };
    setRun(now);
    try {
      for await (const batch of runFlow(flowId, { input, sessionId }, current.signal)) {
        now = batch.reduce((before, { event }) => applyEvent(before, event), now);
        setRun(now);
      }
      if (now.status === "running")
        throw new Failure("connection_cut", "The connection ended.");
    } catch (error) {
      const isStopped = current.signal.aborted;
      setRun(
        isStopped
          ? { ...now, status: "stopped" }
          : { ...now, status: "failed", error: toFailure(error) },
      );
    }
  };
  return { run, start, stop: () => controller.current?.abort() };
}

function applyEvent(run: FlowRun, event: FlowEvent): FlowRun {
  if (event.type === "text_delta") return { ...run, text: run.text + event.delta };
  if (event.type === "done") return { status: "done", text: event.output, result: event };
  return { ...run, status: "failed", error: toReportedFailure(event) };
}
