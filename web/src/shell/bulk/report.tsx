import { CircleAlert, X } from "lucide-react";
import { useErrorText } from "../../texts/errors.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Progress } from "../../ui/progress.tsx";
import { useUiTexts } from "../../ui/texts.ts";
import type { BulkOutcome, BulkRefusal } from "./run-bulk.ts";
import { useBulkTexts } from "./texts.ts";
import type { Bulk } from "./use-bulk.ts";

/** How far a change of many things is, and afterwards what was not changed, and why. */
export function BulkReport({ bulk }: { bulk: Bulk }) {
  const texts = useBulkTexts();
  if (bulk.state === "idle") return null;
  if (bulk.state === "ended") return <Ended bulk={bulk} outcome={bulk.outcome} />;
  const { handled, total, stop } = bulk;
  const label = texts.progress(handled, total);
  return (
    <div className="flex items-center gap-3 rounded-lg bg-sunken py-1 pr-1 pl-4">
      <span className="shrink-0 tabular-nums">{label}</span>
      <Progress label={label} value={handled / total} />
      <Button look="quiet" onClick={stop}>
        {texts.stop}
      </Button>
    </div>
  );
}

function Ended({ bulk, outcome }: { bulk: Bulk; outcome: BulkOutcome }) {
  const texts = useBulkTexts();
  const uiTexts = useUiTexts();
  const { done, refused, left } = outcome;
  const missing = refused.length + left.length;
  return (
    <div
      role="alert"
      className="grid gap-2 rounded-r-md border-l-3 border-danger bg-danger-soft py-2 pr-2 pl-4"
    >
      <div className="flex items-center gap-2">
        <CircleAlert aria-hidden size={18} className="shrink-0 text-danger" />
        <p className="min-w-0 flex-1 font-medium">
          {texts.notAll(missing, missing + done.length)}{" "}
          {left.length > 0 && texts.left(left.length)}
        </p>
        <Button onClick={bulk.again}>{uiTexts.retry}</Button>
        <IconButton icon={X} label={uiTexts.close} onClick={bulk.close} />
      </div>
      {refused.length > 0 && (
        <ul
          aria-label={texts.refused}
          // it can be scrolled by keyboard
          tabIndex={0}
          className="grid max-h-48 gap-1.5 overflow-y-auto text-sm"
        >
          {refused.map((one) => (
            <Refusal key={one.item.id} refusal={one} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Refusal({ refusal: { item, failure } }: { refusal: BulkRefusal }) {
  const reason = useErrorText(failure);
  return (
    <li className="wrap-anywhere">
      <bdi className="font-medium">{item.name}</bdi> <span>{reason}</span>
    </li>
  );
}
