import type { User } from "../../../platform/http/caller.ts";
import { conversationFor } from "./access.ts";
import { agentOf, beginReply, type SendDeps, type Sent } from "./begin-reply.ts";
import type { Regenerate } from "./contract.ts";
import { findQuestion } from "./find-question.ts";
import { replyInProgress, turnsOf } from "./history.ts";
import { messageNotFound } from "./reactions.ts";
import { runOnce, type Store } from "./run-once.ts";

/**
 * Answers a message of a conversation again: a new reply beside those that it has. What the message
 * was asked with holds again, but for what the request names; rights and limits are those of now.
 * @throws as `sendMessage`; NotFound `message_not_found`, Conflict `reply_in_progress`.
 */
export async function regenerateReply(
  deps: SendDeps,
  user: User,
  ask: Regenerate & { conversationId: string },
  idempotencyKey: string | undefined,
): Promise<Sent> {
  const request = { userId: user.userId, key: idempotencyKey, body: ask };
  return runOnce(deps.db, request, (store) => begin(deps, user, ask, store));
}

async function begin(
  deps: SendDeps,
  user: User,
  ask: Regenerate & { conversationId: string },
  store: Store,
): Promise<Sent> {
  const conversation = await conversationFor(deps, user, ask.conversationId, "editor");
  const found = await findQuestion(deps.db, conversation, ask.messageId);
  if (!found) throw messageNotFound();
  if (found.inProgress) throw replyInProgress();
  const { id, parentId, content, history, asked } = found;
  const agent = await agentOf(deps, user, ask.agentId, asked.agentId);
  const warnings = await deps.budgets.check({ userId: user.userId, agentId: agent?.id });
  const [message] = turnsOf({ id, role: "user", content, history, summary: null });
  const question = {
    conversation,
    storedId: id,
    parentId: parentId ?? undefined,
    content,
    message: message ?? { role: "user" as const, content },
    files: [],
    documents: conversation.documents,
    asked: {
      ...asked,
      agentId: agent?.id ?? null,
      model: ask.model ?? asked.model,
      approval: ask.approval,
    },
    agent,
    warnings,
  };
  return beginReply(deps, user, question, store);
}
