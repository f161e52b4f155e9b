import type { ThreadMessage } from "./queries.ts";

type Required = "id" | "conversationId" | "parentId" | "role";

/** A message as the server will list it, before it is asked. */
export function newMessage(
  given: Pick<ThreadMessage, Required> & Partial<ThreadMessage>,
): ThreadMessage {
  return {
    content: "",
    reasoning: "",
    status: "complete",
    agentId: null,
    agentVersion: null,
    model: null,
    toolCalls: [],
    waiting: [],
    sources: [],
    canvases: [],
    files: [],
    usage: null,
    reaction: null,
    finishReason: null,
    error: null,
    siblings: [given.id],
    position: 0,
    siblingCount: 1,
    createdAt: new Date().toISOString(),
    ...given,
  };
}
