import { useChange } from "../shell/use-change.ts";

const KEYS = [["agents"], ["agent"]];

/** Changes agents or their folders, then refreshes the affected queries. */
export function useAgentChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: KEYS, onDone });
}
