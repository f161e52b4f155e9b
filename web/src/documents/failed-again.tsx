import { useMutation, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { BulkReport } from "../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../shell/bulk/use-bulk.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import {
  DOCUMENT_KEYS,
  type FailedOf,
  firstFailedQuery,
  listFailed,
  reprocessDocument,
} from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

/** Processes again what failed of a folder or a search, to be followed and stopped. */
export function FailedAgain({ folderId, q }: FailedOf) {
  const texts = useDocumentTexts();
  const enabled = usePermission("document:update");
  const { data: hasFailed } = useQuery({ ...firstFailedQuery({ folderId, q }), enabled });
  const bulk = useBulk(DOCUMENT_KEYS);
  const find = useMutation({
    mutationFn: () => listFailed({ folderId, q }),
    onSuccess: (failed) =>
      bulk.start({
        items: failed.map(({ id, fileName }) => ({ id, name: fileName })),
        act: oneByOne((id) => reprocessDocument(id)),
        done: texts.retried,
      }),
    onError: notifyFailure,
  });
  if (bulk.state !== "idle")
    return (
      <div className="w-full">
        <BulkReport bulk={bulk} />
      </div>
    );
  if (!hasFailed) return null;
  return (
    <Button look="quiet" busy={find.isPending} onClick={() => find.mutate()}>
      <RotateCw aria-hidden size={16} />
      {texts.retryFailed}
    </Button>
  );
}
