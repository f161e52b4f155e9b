import { useChange } from "../shell/use-change.ts";

const KEYS = [["documents"]];

/** Changes documents or folders, then reads again what is shown of them. */
export function useDocumentChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: KEYS, onDone });
}
