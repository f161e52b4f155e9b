import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

interface Change<Input, Output> {
  run: (input: Input) => Promise<Output>;
  /** Beginnings of the keys of what is read again afterwards. */
  keys: readonly QueryKey[];
  /** Runs even if the row that started the change no longer exists. */
  onDone?: ((output: Output) => void) | undefined;
}

/** Changes something on the server, then reads again what is shown of it. */
export function useChange<Input = void, Output = unknown>(change: Change<Input, Output>) {
  const { run, keys, onDone } = change;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    async onSuccess(output) {
      onDone?.(output);
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
}
