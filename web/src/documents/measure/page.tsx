import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/states.tsx";
import { MeasureForm } from "./form.tsx";
import { useMeasureTexts } from "./texts.ts";
import { formatNumber } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { Progress } from "../../ui/progress.tsx";
import { useEffect, useRef, useState } from "react";
import { Failure, toFailure, toStoredFailure } from "../../api/failure.ts";
import {
  type Figures,
  measure,
  type Measurement,
  type MeasurementEvent,
  ENGINES,
} from "./queries.ts";
import { GroupedBars } from "../../charts/grouped-bars.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Section } from "../../ui/section.tsx";
import { useTryTexts } from "../try-texts.ts";
import { Warning } from "../warning.tsx";

/** How well each way of searching finds the documents that answer one's own questions. */
export function MeasurePage() {
  const texts = useMeasureTexts();
  const search = useTryTexts();
  const { state, start, stop } = useMeasurement();
  const isRunning = state?.status === "running";
  return (
    <Page title={texts.title} back={{ to: "/documents/try", label: search.title }}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p className="max-w-measure text-muted">{texts.hint}</p>
        <MeasureForm busy={isRunning} onMeasure={(body) => void start(body)} />
        {isRunning && <Running done={state.done} total={state.total} onStop={stop} />}
        {state?.status === "stopped" && <p role="status">{texts.stopped}</p>}
        {state?.status === "failed" && <Problem error={state.error} />}
        {state?.status === "done" && <Results variants={state.variants} />}
      </div>
    </Page>
  );
}

interface RunningProps {
  done: number;
  total: number;
  onStop: () => void;
}

/** The progress of a measurement, and a way to cancel it. */
function Running({ done, total, onStop }: RunningProps) {
  const texts = useMeasureTexts();
  return (
    <div className="grid gap-2">
      <Progress label={texts.running} value={total === 0 ? 0 : done / total} />
      <p role="status" className="text-xs text-muted">
        {texts.progress(formatNumber(done), formatNumber(total))}
      </p>
      <div>
        <Button onClick={onStop}>{texts.stop}</Button>
      </div>
    </div>
  );
}

type MeasurementState =
  | { status: "running"; done: number; total: number }
  | { status: "done"; variants: Figures[] }
  | { status: "stopped" }
  | { status: "failed"; error: Failure };

/** Runs one measurement at a time. Leaving the page ends it. */
function useMeasurement() {
  const [state, setState] = useState<MeasurementState>();
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (body: Measurement) => {
    const current = new AbortController();
    controller.current = current;
    const total = body.questions.length * body.variants.length;
    let now = toState({ type: "progress", done: 0, total });
    setState(now);
    try {
      for await (const batch of measure(body, current.signal)) {
        const last = batch.at(-1);
        if (last) setState((now = toState(last.event)));
      }
      if (now.status === "running")
        throw new Failure("connection_cut", "The connection ended.");
    } catch (error) {
      const isStopped = current.signal.aborted;
      setState(
        isStopped ? { status: "stopped" } : { status: "failed", error: toFailure(error) },
      );
    }
  };
  return { state, start, stop: () => controller.current?.abort() };
}

function toState(event: MeasurementEvent): MeasurementState {
  if (event.type === "progress")
    return { status: "running", done: event.done, total: event.total };
  if (event.type === "result") return { status: "done", variants: event.variants };
  return { status: "failed", error: toStoredFailure(event) };
}

const MEASURES = ["ndcgAt10", "recallAt10", "mrrAt10"] as const;
const share = (value: number) => formatNumber(value, { style: "percent" });

/** The figures of each way of searching: as bars, as a table, and what it did not find. */
function Results({ variants }: { variants: readonly Figures[] }) {
  const texts = useMeasureTexts();
  const nameOf = useEngineName();
  return (
    <Section title={texts.results} hint={texts.resultsHint(variants[0]?.questions ?? 0)}>
      <GroupedBars
        caption={texts.results}
        groups={variants.map(({ name }) => nameOf(name))}
        series={MEASURES.map((measure) => ({
          key: measure,
          label: texts.measures[measure],
          values: variants.map((variant) => variant[measure]),
        }))}
        format={share}
      />
      <DataTable
        caption={texts.results}
        rows={variants}
        keyOf={({ name }) => name}
        columns={[
          { key: "name", label: texts.way, cell: ({ name }) => nameOf(name) },
          ...MEASURES.map((measure) => ({
            key: measure,
            label: texts.measures[measure],
            isNumber: true,
            cell: (variant: Figures) => share(variant[measure]),
          })),
          {
            key: "time",
            label: texts.time,
            isNumber: true,
            cell: ({ medianMs }) =>
              `${formatNumber(medianMs, { maximumFractionDigits: 0 })} ms`,
          },
        ]}
      />
      {variants.map((variant) => (
        <Missed key={variant.name} variant={variant} name={nameOf(variant.name)} />
      ))}
    </Section>
  );
}

function Missed({ variant, name }: { variant: Figures; name: string }) {
  const texts = useMeasureTexts();
  const { missed, warnings } = variant;
  if (missed.length === 0 && warnings.length === 0) return null;
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">
        {texts.missed(name, missed.length)}
      </summary>
      <ul className="ml-5 list-disc">
        {missed.map((question) => (
          <li key={question} className="wrap-anywhere">
            <bdi>{question}</bdi>
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning.message} className="text-warn wrap-anywhere">
            <Warning warning={warning} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function useEngineName(): (name: string) => string {
  const { engines } = useTryTexts();
  return (name) => {
    const engine = ENGINES.find((one) => one === name);
    return engine ? engines[engine].name : name;
  };
}
