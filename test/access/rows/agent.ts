import { alike, type Rows } from "../row.ts";

export const agent: Rows = {
  run: {
    access: ["internal", "agent-jwt", "key"],
    cases: {
      it: {
        ask: () => ({
          body: {
            model: "parlance-offline",
            messages: [{ role: "user", content: "hello" }],
            stream: false,
          },
        }),
        answers: alike(),
      },
    },
    harmless: {
      "body.context.userId": "a user's own is taken in its place",
      "body.context.agentId": "of a service alone it is taken",
      "body.context.conversationId":
        "it is counted with what was used, and nothing is read by it",
      "body.messages.toolCallId": "it names a call in the same request",
      "body.messages.toolCalls.id": "it names a call in the same request",
      "body.platformTools.sessionId": "it is dropped from a user's request",
      "body.decisions.toolCallId": "it names a call in the same request",
      "body.labels.id":
        "labels refuse and ask, and what a user adds of them only more of it",
    },
  },
};
