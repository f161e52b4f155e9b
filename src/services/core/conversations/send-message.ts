import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, NotFound } from "../../../platform/http/errors.ts";
import type { Agent } from "../agents/contract.ts";
import { conversationFor } from "./access.ts";
import { agentOf, beginReply, type SendDeps, type Sent } from "./begin-reply.ts";
import type { Conversation, SendMessage } from "./contract.ts";
import { runOnce, type Store } from "./run-once.ts";
import { messageBelongs, newestMessage } from "./store.ts";

/**
 * Stores a message and an empty reply, both or none; the reply is then made by the job.
 * @throws NotFound for a conversation that is not the caller's to write in, and what `beginReply`
 * and `runOnce` throw.
 */
export async function sendMessage(
  deps: SendDeps,
  user: User,
  ask: SendMessage,
  idempotencyKey: string | undefined,
): Promise<Sent> {
  const request = { userId: user.userId, key: idempotencyKey, body: ask };
  return runOnce(deps.db, request, (store) => begin(deps, user, ask, store));
}

async function begin(deps: SendDeps, user: User, ask: SendMessage, store: Store): Promise<Sent> {
  const conversation =
    ask.conversationId === undefined
      ? undefined
      : await conversationFor(deps, user, ask.conversationId, "editor");
  const agent = await agentOf(deps, user, ask.agentId, conversation?.agentId);
  const warnings = await deps.budgets.check({ userId: user.userId, agentId: agent?.id });
  const parentId = await parentOf(deps.db, ask, conversation);
  const { searched, ...attached } = await attach(deps, user.userId, ask, agent);
  const { content, model, tools, instructions, approval } = ask;
  const question = {
    conversation,
    parentId,
    content,
    ...attached,
    documents: [...new Set([...(conversation?.documents ?? []), ...searched])],
    asked: { agentId: agent?.id ?? null, model, tools, instructions, approval },
    agent,
    warnings,
  };
  return beginReply(deps, user, question, store);
}

/** A flow gets files as they are; a model gets what it reads of them. */
async function attach(
  { attachments }: SendDeps,
  userId: string,
  { content, files: ids }: SendMessage,
  agent: Agent | undefined,
): ReturnType<SendDeps["attachments"]["attach"]> {
  if (agent?.type !== "workflow") return attachments.attach(userId, content, ids);
  return {
    message: { role: "user", content },
    files: await attachments.carry(userId, ids),
    searched: [],
  };
}

/** The message to answer: as named, else the newest. `null` names the root of the thread. */
async function parentOf(
  db: Database,
  { parentMessageId: named }: SendMessage,
  conversation: Conversation | undefined,
): Promise<string | undefined> {
  if (named === null) return undefined;
  if (!conversation) {
    if (named === undefined) return undefined;
    throw new BadRequest(
      "validation_failed",
      "Name the conversation of the message to answer, in conversationId.",
      { details: [{ path: "body.conversationId", message: "needed with parentMessageId" }] },
    );
  }
  if (named === undefined) return newestMessage(db, conversation.id);
  if (await messageBelongs(db, named, conversation.id)) return named;
  throw new NotFound(
    "message_not_found",
    "There is no such message in this conversation to answer.",
  );
}
