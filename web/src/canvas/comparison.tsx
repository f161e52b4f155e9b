import { useNavigate } from "@tanstack/react-router";
import { SelectField } from "../ui/select-field.tsx";
import { Differences } from "./differences.tsx";
import type { StoredCanvas } from "./queries.ts";
import type { CanvasSearch } from "./search.ts";
import { useCanvasTexts } from "./texts.ts";

/** As many versions can be chosen, the newest. */
const MAX_CHOICES = 200;

/** Two versions of a canvas, chosen, and what changed between them. */
export function Comparison({
  canvas,
  search,
}: {
  canvas: StoredCanvas;
  search: CanvasSearch;
}) {
  const texts = useCanvasTexts();
  const navigate = useNavigate();
  const to = Math.min(search.version ?? canvas.version, canvas.version);
  const from = Math.min(search.from ?? Math.max(1, to - 1), canvas.version);
  const choices = Array.from({ length: Math.min(canvas.version, MAX_CHOICES) }, (_, at) => (
    <option key={at} value={canvas.version - at}>
      {texts.version(canvas.version - at)}
    </option>
  ));
  const show = (next: { from: number; version: number }) =>
    void navigate({ to: ".", search: { view: "diff", ...next }, replace: true });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-10 md:px-6">
      <div className="mx-auto grid max-w-measure gap-3">
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label={texts.compareFrom}
            value={from}
            onChange={({ target }) => show({ from: Number(target.value), version: to })}
          >
            {choices}
          </SelectField>
          <SelectField
            label={texts.compareTo}
            value={to}
            onChange={({ target }) => show({ from, version: Number(target.value) })}
          >
            {choices}
          </SelectField>
        </div>
        <Differences canvasId={canvas.id} from={from} to={to} />
      </div>
    </div>
  );
}
