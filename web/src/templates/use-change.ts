import { useChange } from "../shell/use-change.ts";

const KEYS = [["templates"], ["template"]];

/** Changes templates, then reads again what is shown of them. */
export function useTemplateChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: KEYS, onDone });
}
