import { useChange } from "../shell/use-change.ts";
import { notifyFailure } from "../ui/notices.tsx";

export const AUTOMATION_KEYS = [["automations"], ["automation"], ["runs"], ["run"]];

/** Changes a rule, run, source or schedule, then refreshes the affected queries. */
export function useAutomationChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: AUTOMATION_KEYS, onDone });
}

/** The same for a row, which shows a failure as a notice because it has no other place for it. */
export function useRowChange<Output = unknown>(
  run: () => Promise<Output>,
  onDone?: (output: Output) => void,
): () => void {
  const change = useAutomationChange(run, onDone);
  return () => change.mutate(undefined, { onError: notifyFailure });
}
