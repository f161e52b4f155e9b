import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { toReportedFailure } from "../../api/failure.ts";
import { useChange } from "../../shell/use-change.ts";
import { formatNumber } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { type Candidate, chooseModel, EMBEDDING_KEYS, modelTestQuery } from "./queries.ts";
import { useEmbeddingTexts } from "./texts.ts";

interface ChooseDialogProps {
  candidate: Candidate;
  /** The number of chunks that the model in use refuses. */
  refused: number;
  onClose: () => void;
}

/** Tests a model, shows the cost of choosing it, and chooses it. */
export function ChooseDialog({ candidate, refused, onClose }: ChooseDialogProps) {
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
