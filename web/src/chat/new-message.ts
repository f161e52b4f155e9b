import type { ConversationMessage } from "../../../src/services/core/conversations/contract.ts";

type Required = "id" | "conversationId" | "parentId" | "role";

/** A message as the server will list it, before it is asked. */
export function newMessage(
  given: Pick<ConversationMessage, Required> & Partial<ConversationMessage>,
): ConversationMessage {
  return {
    content: "",
    status: "complete",
    agentId: null,
    agentVersion: null,
    model: null,
    toolCalls: [],
    waiting: [],
    sources: [],
    files: [],
    usage: null,
    reaction: null,
    finishReason: null,
    error: null,
    createdAt: new Date().toISOString(),
    ...given,
  };
}
