import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { toReportedFailure } from "../../api/failure.ts";
import { formatNumber } from "../../texts/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { offersQuery, type Provider } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

interface TestDialogProps {
  provider: Provider;
  onClose: () => void;
}

/** Tests a saved provider, and shows the result. */
export function TestDialog({ provider, onClose }: TestDialogProps) {
  const texts = useModelTexts();
  const { data, error, refetch, isFetching } = useQuery(offersQuery(provider.name));
  const refusal = data?.error && toReportedFailure(data.error);
  const problem = error ?? refusal;
  return (
    <Dialog title={texts.testTitle(provider.displayName)} size="small" onClose={onClose}>
      {isFetching && <Loading lines={2} />}
      {!isFetching && problem && <Problem error={problem} onRetry={() => void refetch()} />}
      {!isFetching && data?.ok && (
        <p role="status" className="flex items-center gap-2 text-ok">
          <CircleCheck aria-hidden size={18} />
          {texts.works(formatNumber(data.models.length), formatNumber(data.latencyMs))}
        </p>
      )}
    </Dialog>
  );
}
