import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../texts/format.ts";
import { Section } from "../../ui/section.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import {
  embeddingQuery,
  cancelModelChange,
  EMBEDDING_KEYS,
  type ModelState,
  type Candidate,
  candidatesQuery,
  keyOf,
  chooseModel,
  modelTestQuery,
} from "./queries.ts";
import { useEmbeddingTexts } from "./texts.ts";
import { useState } from "react";
import { toStoredFailure, toReportedFailure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { isolate } from "../../texts/isolate.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Link } from "@tanstack/react-router";
import { useList } from "../../shell/use-list.ts";
import { Badge } from "../../ui/badge.tsx";
import { More } from "../../ui/more.tsx";
import { CircleCheck } from "lucide-react";
import { useChange } from "../../shell/use-change.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notices.tsx";

/** The model by which documents are searched, and the change to another one. */
export function EmbeddingPage() {
  const texts = useEmbeddingTexts();
  const { data, error, refetch } = useQuery(embeddingQuery);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading shape="fields" lines={4} />;
  const { model, dimensions, provider, local, reachable, refused, next } = data;
  return (
    <>
      <PartSection title={texts.title} hint={texts.hint}>
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
      </PartSection>
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

/** The models to choose from. `refused`: the number of chunks that the model in use refuses. */
function Candidates({ refused }: { refused: number }) {
  const texts = useEmbeddingTexts();
  const list = useList(candidatesQuery);
  const [tested, setTested] = useState<Candidate>();
  const hint = (
    <>
      {texts.candidatesHint}{" "}
      <Link to="/admin/models" className="text-accent underline">
        {texts.toModels}
      </Link>
    </>
  );
  return (
    <Section title={texts.candidates} hint={hint}>
      {list.isPending && <Loading shape="tiles" lines={4} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((one) => (
          <Row key={keyOf(one)} candidate={one} onTest={() => setTested(one)} />
        ))}
      </ul>
      <More list={list} />
      {tested && (
        <ChooseDialog
          candidate={tested}
          refused={refused}
          onClose={() => setTested(undefined)}
        />
      )}
    </Section>
  );
}

function Row({ candidate, onTest }: { candidate: Candidate; onTest: () => void }) {
  const texts = useEmbeddingTexts();
  const { displayName, model, source, providerName, dimensions, use } = candidate;
  const from = source === "catalogue" ? providerName : texts.sources[source];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-medium" title={model}>
          <bdi>{displayName}</bdi>
        </p>
        <p className="text-xs wrap-anywhere text-muted">
          <bdi>{from}</bdi>
          {dimensions !== null && ` · ${texts.dimensionCount(formatNumber(dimensions))}`}
        </p>
      </div>
      {use && <Badge>{texts.uses[use]}</Badge>}
      <Button aria-label={texts.testOf(displayName)} onClick={onTest}>
        {texts.test}
      </Button>
    </li>
  );
}

interface ChooseDialogProps {
  candidate: Candidate;
  /** The number of chunks that the model in use refuses. */
  refused: number;
  onClose: () => void;
}

/** Tests a model, shows the cost of choosing it, and chooses it. */
function ChooseDialog({ candidate, refused, onClose }: ChooseDialogProps) {
  const texts = useEmbeddingTexts();
  const { use } = candidate;
  const name = isolate(candidate.displayName);
  const { data, error, refetch, isFetching } = useQuery(modelTestQuery(candidate));
  const choose = useChange({
    run: () => chooseModel(candidate),
    keys: EMBEDDING_KEYS,
    onDone({ next }) {
      onClose();
      notify(next ? texts.chosen(isolate(next.model)) : texts.inUse(name));
    },
  });
  const problem = error ?? (data?.error && toReportedFailure(data.error));
  const isOk = !isFetching && data?.ok;
  const isCurrent = use === "current";
  return (
    <Dialog title={texts.testTitle(name)} size="small" onClose={onClose}>
      <div className="grid gap-4">
        {isFetching && <Loading lines={2} />}
        {!isFetching && problem && (
          <Problem error={problem} onRetry={() => void refetch()} />
        )}
        {isOk && (
          <p role="status" className="flex items-center gap-2 text-ok">
            <CircleCheck aria-hidden size={18} className="shrink-0" />
            {texts.works(formatNumber(data.dimensions ?? 0), formatNumber(data.latencyMs))}
          </p>
        )}
        {isOk && !isCurrent && <p>{texts.cost(formatNumber(data.chunks ?? 0))}</p>}
        {isOk && isCurrent && refused > 0 && (
          <p>{texts.retryHint(formatNumber(refused))}</p>
        )}
        {choose.error && <Problem error={choose.error} />}
        {isOk && (!isCurrent || refused > 0) && (
          <Button look="primary" busy={choose.isPending} onClick={() => choose.mutate()}>
            {isCurrent ? texts.retryRefused : texts.choose}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
