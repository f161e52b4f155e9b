import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../texts/format.ts";
import { join } from "../ui/join.ts";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { type CanvasChange, diffQuery } from "./queries.ts";
import { useCanvasTexts } from "./texts.ts";

/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 2;

interface DifferencesProps {
  canvasId: string;
  from: number;
  to: number;
}

/** What changed between two versions, line by line. */
export function Differences({ canvasId, from, to }: DifferencesProps) {
  const texts = useCanvasTexts();
  const { data, error, refetch } = useQuery(diffQuery(canvasId, from, to));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading className="px-0" />;
  const { changes } = data;
  const count = (kind: CanvasChange["kind"]) =>
    formatNumber(
      changes.reduce((sum, one) => sum + (one.kind === kind ? one.lines : 0), 0),
    );
  if (changes.every(({ kind }) => kind === "same")) return <p>{texts.same}</p>;
  return (
    <div className="grid gap-2">
      <p className="text-xs text-muted">
        {texts.diffCounts(count("added"), count("removed"))}
      </p>
      <div className="relative overflow-x-auto rounded-md border border-hairline bg-page text-sm">
        {changes.map((change, at) => (
          <Change
            key={at}
            change={change}
            isFirst={at === 0}
            isLast={at === changes.length - 1}
          />
        ))}
      </div>
    </div>
  );
}

interface ChangeProps {
  change: CanvasChange;
  isFirst: boolean;
  isLast: boolean;
}

function Change({ change: { kind, text }, isFirst, isLast }: ChangeProps) {
  const texts = useCanvasTexts();
  const lines = text.replace(/\n$/, "").split("\n");
  if (kind !== "same") {
    const isAdded = kind === "added";
    const Element = isAdded ? "ins" : "del";
    return (
      <Element
        className={join(
          "block no-underline shadow-[inset_4px_0_0_currentColor]",
          isAdded ? "text-ok" : "text-danger",
        )}
      >
        <span className="sr-only">{isAdded ? texts.added : texts.removed}: </span>
        <Lines sign={isAdded ? "+" : "−"} lines={lines} />
      </Element>
    );
  }
  const before = isFirst ? 0 : CONTEXT_LINES;
  const after = isLast ? 0 : CONTEXT_LINES;
  const skipped = lines.length - before - after;
  if (skipped <= 1) return <Lines sign="" lines={lines} />;
  return (
    <>
      <Lines sign="" lines={lines.slice(0, before)} />
      <p className="bg-sunken px-3 py-1 text-xs text-muted">
        {texts.skipped(formatNumber(skipped))}
      </p>
      <Lines sign="" lines={after === 0 ? [] : lines.slice(-after)} />
    </>
  );
}

function Lines({ sign, lines }: { sign: string; lines: readonly string[] }) {
  return lines.map((line, at) => (
    <div key={at} dir="auto" className="grid grid-cols-[1.5rem_minmax(0,1fr)] px-1 py-0.5">
      <span aria-hidden className="text-center">
        {sign}
      </span>
      <span className="whitespace-pre-wrap wrap-anywhere">{line || " "}</span>
    </div>
  ));
}
