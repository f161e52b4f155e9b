import { queryOptions } from "@tanstack/react-query";
import { conversationsContract } from "../../../src/services/core/conversations/contract.ts";
import { call } from "../api/call.ts";

/** What the user thinks of an answer, with reasons and comment. */
export function reactionQuery(messageId: string) {
  return queryOptions({
    queryKey: ["reaction", messageId],
    queryFn: ({ signal }) =>
      call(conversationsContract.getReaction, { params: { messageId } }, { signal }),
  });
}
