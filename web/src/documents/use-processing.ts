import { notifyFailure } from "../ui/notices.tsx";
import { useDocumentChange } from "./use-change.ts";

/**
 * Runs a step of processing. A failure is shown as a notice, because the row has no space for it.
 */
export function useProcessing() {
  const change = useDocumentChange((run: () => Promise<unknown>) => run());
  return {
    mutate: (run: () => Promise<unknown>) =>
      change.mutate(run, {
        onError: notifyFailure,
      }),
  };
}
