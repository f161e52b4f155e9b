import { useChange } from "../shell/use-change.ts";

export const DOCUMENT_KEYS = [["documents"]];

/** Changes documents or folders, then reads again what is shown of them. */
export function useDocumentChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: DOCUMENT_KEYS, onDone });
}
