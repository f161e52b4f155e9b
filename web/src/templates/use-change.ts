import { useChange } from "../shell/use-change.ts";

const KEYS = [["templates"], ["template"]];

/** Changes templates, then refreshes the affected queries. */
export function useTemplateChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: KEYS, onDone });
}
