import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeConversation, type ConversationChange } from "./queries.ts";

/**
 * Runs a change of conversations, then fetches the lists again. `onDone` runs even where the row
 * that began the change is gone by then.
 */
export function useListChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess() {
      onDone?.();
      return queries.invalidateQueries({ queryKey: ["conversations"] });
    },
  });
}

/** Changes title, pin or tags. */
export function useChange(id: string) {
  return useListChange((change: ConversationChange) => changeConversation(id, change));
}
