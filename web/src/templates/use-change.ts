import { useChange } from "../shell/use-change.ts";

export const TEMPLATE_KEYS = [["templates"], ["template"]];

/** Changes templates, then refreshes the affected queries. */
export function useTemplateChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: TEMPLATE_KEYS, onDone });
}
