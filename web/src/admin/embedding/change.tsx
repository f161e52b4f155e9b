import { useState } from "react";
import { toStoredFailure } from "../../api/failure.ts";
import { useChange } from "../../shell/use-change.ts";
import { useErrorText } from "../../texts/errors.ts";
import { formatNumber } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { notify } from "../../ui/notices.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/section.tsx";
import { cancelModelChange, EMBEDDING_KEYS, type ModelState } from "./queries.ts";
import { Refused } from "./refused.tsx";
import { useEmbeddingTexts } from "./texts.ts";

/** The progress of the next model, why it has stopped, and a way to cancel the change. */
export function Change({ next }: { next: NonNullable<ModelState["next"]> }) {
  const texts = useEmbeddingTexts();
  const [isCancelling, setCancelling] = useState(false);
  const { failure, embedded, refused, chunks } = next;
  const problem = useErrorText(failure && toStoredFailure(failure));
  const cancel = useChange({
    run: cancelModelChange,
    keys: EMBEDDING_KEYS,
    onDone({ model }) {
      setCancelling(false);
      notify(texts.cancelled(isolate(model)));
    },
  });
  const actions = <Button onClick={() => setCancelling(true)}>{texts.cancel}</Button>;
  const label = texts.changing(isolate(next.model));
  return (
    <Section title={texts.change} hint={label} actions={actions}>
      <div className="grid max-w-measure gap-1">
        <Progress label={label} value={chunks === 0 ? 1 : (embedded + refused) / chunks} />
        <p role="status" className="text-xs text-muted">
          {texts.embedded(formatNumber(embedded), formatNumber(chunks))}
        </p>
        <Refused chunks={refused} />
        {problem && (
          <p role="alert" className="text-xs text-danger">
            {texts.failing} {problem}
          </p>
        )}
      </div>
      {isCancelling && (
        <Confirm
          title={texts.cancelTitle}
          text={texts.cancelText(isolate(next.model), formatNumber(embedded))}
          action={texts.cancel}
          busy={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={() => setCancelling(false)}
        />
      )}
    </Section>
  );
}
