import { useChange } from "../shell/use-change.ts";

export const AGENT_KEYS = [["agents"], ["agent"]];

/** Changes agents or their folders, then refreshes the affected queries. */
export function useAgentChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: AGENT_KEYS, onDone });
}
