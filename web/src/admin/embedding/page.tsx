import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../texts/format.ts";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { Candidates } from "./candidates.tsx";
import {
  embeddingQuery,
  cancelModelChange,
  EMBEDDING_KEYS,
  type ModelState,
} from "./queries.ts";
import { useEmbeddingTexts } from "./texts.ts";
import { useState } from "react";
import { toStoredFailure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { isolate } from "../../texts/isolate.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { Progress } from "../../ui/progress.tsx";

/** The model by which documents are searched, and the change to another one. */
export function EmbeddingPage() {
  const texts = useEmbeddingTexts();
  const { data, error, refetch } = useQuery(embeddingQuery);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={6} className="px-0" />;
  const { model, dimensions, provider, local, reachable, refused, next } = data;
  return (
    <>
      <Section title={texts.title} hint={texts.hint}>
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-muted">{texts.model}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <bdi className="font-medium">{model}</bdi>
          </dd>
          <dt className="text-muted">{texts.provider}</dt>
          <dd>
            {provider}
            {local && ` – ${texts.local}`}
          </dd>
          <dt className="text-muted">{texts.dimensions}</dt>
          <dd>{formatNumber(dimensions)}</dd>
        </dl>
        {!reachable && (
          <p role="alert" className="text-danger">
            {texts.unreachable}
          </p>
        )}
        <Refused chunks={refused} />
      </Section>
      {next && <Change next={next} />}
      <Candidates refused={refused} />
    </>
  );
}

/** The progress of the next model, why it has stopped, and a way to cancel the change. */
function Change({ next }: { next: NonNullable<ModelState["next"]> }) {
  const texts = useEmbeddingTexts();
  const [isCancelling, setCancelling] = useState(false);
  const { failure, embedded, refused, chunks } = next;
  const problem = useErrorText(failure && toStoredFailure(failure));
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
        <ConfirmChange
          title={texts.cancelTitle}
          text={texts.cancelText(isolate(next.model), formatNumber(embedded))}
          action={texts.cancel}
          run={cancelModelChange}
          keys={EMBEDDING_KEYS}
          done={({ model }) => texts.cancelled(isolate(model))}
          onClose={() => setCancelling(false)}
        />
      )}
    </Section>
  );
}

/** The number of chunks that a model refuses. */
function Refused({ chunks }: { chunks: number }) {
  const texts = useEmbeddingTexts();
  if (chunks === 0) return null;
  return <p className="text-xs text-muted">{texts.refused(formatNumber(chunks))}</p>;
}
