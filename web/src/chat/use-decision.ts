import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Decision, decideCall } from "./queries.ts";

/**
 * Decides on calls that wait. What lists them is read again at once: what is decided waits no more.
 * @param onDecided called when all calls of the reply are decided.
 */
export function useDecision(conversationId: string, onDecided?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Decision) => decideCall(conversationId, body),
    onSuccess({ waiting }) {
      void queries.invalidateQueries({ queryKey: ["approvals"] });
      if (waiting === 0) onDecided?.();
    },
  });
}
