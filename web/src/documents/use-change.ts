import { useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * Runs a change of documents or folders, then fetches what is shown of them again. `onDone` runs
 * even where the row that began the change is gone by then.
 */
export function useDocumentChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess(output) {
      onDone?.(output);
      return queries.invalidateQueries({ queryKey: ["documents"] });
    },
  });
}
