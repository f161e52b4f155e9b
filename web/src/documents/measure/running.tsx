import { formatNumber } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { Progress } from "../../ui/progress.tsx";
import { useMeasureTexts } from "./texts.ts";

interface RunningProps {
  done: number;
  total: number;
  onStop: () => void;
}

/** The progress of a measurement, and a way to cancel it. */
export function Running({ done, total, onStop }: RunningProps) {
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
