import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/states.tsx";
import { MeasureForm } from "./form.tsx";
import { Results } from "./results.tsx";
import { Running } from "./running.tsx";
import { useMeasureTexts } from "./texts.ts";
import { useMeasurement } from "./use-measurement.ts";

/** How well each way of searching finds the documents that answer one's own questions. */
export function MeasurePage() {
  const texts = useMeasureTexts();
  const { state, start, stop } = useMeasurement();
  const isRunning = state?.status === "running";
  return (
    <Page title={texts.title}>
      <div className="mx-auto grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-6">
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
