import type { User } from "../../../platform/http/caller.ts";
import { conversationFor } from "../conversations/access.ts";
import { messageNotFound } from "../conversations/reactions.ts";
import { beginReply, chooseAgent, type ReceiveDeps, type Received } from "./begin-reply.ts";
import type { Regenerate } from "./contract.ts";
import { findQuestion } from "./find-question.ts";
import { replyInProgress, turnsOf } from "./history.ts";
import { runOnce, type Store } from "./run-once.ts";

type Request = Regenerate & { conversationId: string };

/**
 * Answers a message of a conversation again: a new reply beside the others. The options of the
 * message apply again unless the request names others; rights and limits are those of now.
 * @throws as `receiveMessage`; NotFound `message_not_found`, Conflict `reply_in_progress`.
 */
export async function regenerateReply(
  deps: ReceiveDeps,
  user: User,
  body: Request,
  idempotencyKey: string | undefined,
): Promise<Received> {
  const request = { userId: user.userId, key: idempotencyKey, body };
  return runOnce(deps.db, request, (store) => regenerate(deps, user, body, store));
}

async function regenerate(
  deps: ReceiveDeps,
  user: User,
  body: Request,
  store: Store,
): Promise<Received> {
  const conversation = await conversationFor(deps, user, body.conversationId, "editor");
  const found = await findQuestion(deps.db, conversation, body.messageId);
  if (!found) throw messageNotFound();
  if (found.inProgress) throw replyInProgress();
  const { id, parentId, content, history, options } = found;
  const agent = await chooseAgent(deps, user, body, options.agentId);
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
    options: {
      ...options,
      agentId: agent?.id ?? null,
      model: body.model ?? options.model,
      approval: body.approval,
    },
    agent,
    warnings,
  };
  return beginReply(deps, user, question, store);
}
