import { type StoredFailure, toReportedFailure, toStoredFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import type { ReplyState } from "./reply-state.ts";
import { useChatTexts } from "./texts.ts";

interface ReplyEndProps {
  state: ReplyState;
  onRetry?: (() => void) | undefined;
}

/** Explains how an answer ended, if it did not end normally. */
export function ReplyEnd({ state, onRetry }: ReplyEndProps) {
  const texts = useChatTexts();
  const { error, warnings, phase, finishReason } = state;
  const problem = useErrorText(error && toReportedFailure(error));
  const reasons: Record<string, string> = {
    cancelled: texts.stopped,
    length: texts.cutOff,
    max_iterations: texts.maxIterations,
    budget: texts.budget,
    content_filter: texts.filtered,
  };
  const reason =
    phase === "ended" && !error && finishReason
      ? (reasons[finishReason] ?? (isEmpty(state) ? texts.noText : undefined))
      : undefined;
  return (
    <>
      {warnings.map((warning) => (
        <Warning key={warning.code} warning={warning} />
      ))}
      {phase === "reattaching" && (
        <p role="status" className="text-xs text-muted">
          {texts.reattaching}
        </p>
      )}
      {reason && <p className="text-xs text-muted">{reason}</p>}
      {error && (
        <div
          role="alert"
          className="grid justify-items-start gap-2 rounded-lg bg-sunken p-3"
        >
          <p>
            {texts.failed} {problem}
          </p>
          {onRetry && <Button onClick={onRetry}>{texts.retry}</Button>}
        </div>
      )}
    </>
  );
}

/** Whether an answer that ended has nothing to show. */
function isEmpty({ text, waiting, canvases }: ReplyState): boolean {
  return text.trim() === "" && waiting.length === 0 && canvases.length === 0;
}

function Warning({ warning }: { warning: StoredFailure }) {
  const text = useErrorText(toStoredFailure(warning));
  return <p className="text-xs text-warn">{text}</p>;
}
