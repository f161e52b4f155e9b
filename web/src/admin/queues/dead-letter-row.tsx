import { toSentence } from "../../api/failure.ts";
import { useChange } from "../../shell/use-change.ts";
import { useErrorText } from "../../texts/errors.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { type DeadLetter, discardDeadLetters, retryDeadLetters } from "./queries.ts";
import { useQueueTexts } from "./texts.ts";

const KEYS = [["queues"]];

interface RowProps {
  queue: string;
  letter: DeadLetter;
}

/** A dead letter: why it failed, when, and its content. */
export function DeadLetterRow({ queue, letter }: RowProps) {
  const texts = useQueueTexts();
  const { id, error, code, tries, diedAt, data } = letter;
  const reason = useErrorText(toSentence(error, letter));
  const retry = useChange({
    run: () => retryDeadLetters(queue, [id]),
    keys: KEYS,
    onDone: () => notify(texts.retried(1)),
  });
  const discard = useChange({
    run: () => discardDeadLetters(queue, [id]),
    keys: KEYS,
    onDone: () => notify(texts.deleted(1)),
  });
  return (
    <li className="grid gap-2 rounded-lg border border-hairline bg-raised p-3">
      <div className="flex flex-wrap items-start gap-2">
        <p className="min-w-0 flex-1 basis-64">
          <bdi
            // an unexpected failure has a technical message
            lang={code === undefined ? "en" : undefined}
            className="font-medium wrap-anywhere"
          >
            {reason}
          </bdi>
          <time
            dateTime={diedAt}
            title={formatTime(diedAt)}
            className="block text-xs text-muted"
          >
            {texts.died(formatAgo(diedAt), tries)}
          </time>
        </p>
        <Button busy={retry.isPending} onClick={() => retry.mutate()}>
          {texts.retry}
        </Button>
        <Button look="danger" busy={discard.isPending} onClick={() => discard.mutate()}>
          {texts.delete}
        </Button>
      </div>
      <details>
        <summary className="min-h-6 cursor-pointer text-muted">{texts.message}</summary>
        <pre
          tabIndex={0}
          className="mt-1 max-h-64 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs"
        >
          {JSON.stringify(data, undefined, 2)}
        </pre>
      </details>
      {(retry.error ?? discard.error) && <Problem error={retry.error ?? discard.error} />}
    </li>
  );
}
