import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { ReplyJob } from "./generate-reply.ts";
import { lockWaiting, reopenReply, saveDecisions } from "./reply-store.ts";
import { historyOf } from "./history.ts";

interface Choice {
  toolCallId: string;
  decision: "approve" | "deny";
  arguments?: Record<string, unknown> | undefined;
}

/**
 * Notes a person's decision on a waiting call. Once every waiting call of the reply is decided, a job goes on with it.
 * @throws NotFound when no such call waits.
 */
export async function decideCall(
  db: Database,
  conversationId: string,
  userId: string,
  choice: Choice,
): Promise<{ messageId: string; waiting: number; job?: ReplyJob }> {
  return db.tx(async () => {
    const reply = await lockWaiting(db, conversationId, choice.toolCallId);
    if (!reply)
      throw new NotFound("call_not_waiting", "No call with this id waits for a decision here.");
    const waiting = reply.waiting.map((call) =>
      call.toolCallId === choice.toolCallId
        ? { ...call, decision: choice.decision, arguments: choice.arguments ?? call.arguments }
        : call,
    );
    const left = waiting.filter(({ decision }) => decision === undefined).length;
    await saveDecisions(db, reply.id, waiting);
    if (left > 0) return { messageId: reply.id, waiting: left };
    const run = await reopenReply(db, reply.id, userId);
    const decisions = waiting.map(({ toolCallId, decision = "deny", arguments: given }) => ({
      toolCallId,
      decision,
      arguments: given,
    }));
    const messages = [
      ...(await historyOf(db, reply.parentId, reply.request.contextWindow)),
      ...reply.history,
    ];
    const { id: messageId, request, history, toolCalls, sources } = reply;
    const opening = [
      { type: "conversation" as const, conversationId, userMessageId: reply.parentId, messageId },
    ];
    return {
      messageId,
      waiting: 0,
      job: {
        messageId,
        conversationId,
        userId,
        run,
        opening,
        request,
        messages,
        decisions,
        before: { history, toolCalls, sources },
      },
    };
  });
}
