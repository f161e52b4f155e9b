import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeConversation, type ConversationChange } from "./queries.ts";

/** Runs a change of conversations, then fetches the lists again. */
export function useListChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["conversations"] }),
  });
}

/** Changes title, pin or tags. */
export function useChange(id: string) {
  return useListChange((change: ConversationChange) => changeConversation(id, change));
}
