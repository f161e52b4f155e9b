import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, NotFound } from "../../../platform/http/errors.ts";
import type { Agent } from "../agents/contract.ts";
import { canvasFor } from "../canvas/access.ts";
import { conversationFor } from "../conversations/access.ts";
import type { Conversation } from "../conversations/contract-messages.ts";
import { messageBelongs, newestMessage } from "../conversations/store.ts";
import {
  beginReply,
  chooseAgent,
  type ReceiveDeps,
  type Received,
  type Store,
} from "./begin-reply.ts";
import type { SendMessage } from "./contract.ts";
import { idempotent } from "./idempotent.ts";

/**
 * Receives a message: stores it and an empty reply, both or none. A `ReplyRunner` then makes the
 * reply.
 * @throws NotFound for a conversation that the user may not write in, and what `beginReply` and
 * `idempotent` throw.
 */
export async function receiveMessage(
  deps: ReceiveDeps,
  user: User,
  body: SendMessage,
  idempotencyKey: string | undefined,
): Promise<Received> {
  const request = { userId: user.userId, key: idempotencyKey, body };
  return idempotent(deps.db, request, (store) => receive(deps, user, body, store));
}

async function receive(
  deps: ReceiveDeps,
  user: User,
  body: SendMessage,
  store: Store,
): Promise<Received> {
  const conversation = await findConversation(deps, user, body.conversationId);
  const agent = await chooseAgent(deps, user, body, conversation?.agentId);
  const spender = { userId: user.userId, agentId: agent?.id };
  const { warnings, unpaid } = await deps.budgets.admit(spender);
  const parentId = await findParent(deps.db, body, conversation);
  const { searched, ...attached } = await attach(deps, user.userId, body, agent);
  const { content, model, tools, instructions, approval } = body;
  const canvas = body.canvasId && (await canvasFor(deps, user, body.canvasId, "viewer"));
  const question = {
    conversation,
    parentId,
    content,
    ...attached,
    documents: [...new Set([...(conversation?.documents ?? []), ...searched])],
    options: {
      agentId: agent?.id ?? null,
      model,
      tools,
      instructions,
      approval,
      ...(canvas && { canvas: { id: canvas.id, title: canvas.title } }),
    },
    agent,
    warnings,
    ...(unpaid && { unpaid }),
  };
  return beginReply(deps, user, question, store);
}

async function findConversation(
  deps: ReceiveDeps,
  user: User,
  id: string | undefined,
): Promise<Conversation | undefined> {
  return id === undefined ? undefined : conversationFor(deps, user, id, "editor");
}

/** A flow gets files as they are; a model gets their content. */
async function attach(
  { attachments }: ReceiveDeps,
  userId: string,
  { content, files: ids }: SendMessage,
  agent: Agent | undefined,
): ReturnType<ReceiveDeps["attachments"]["attach"]> {
  if (agent?.type !== "workflow") return attachments.attach(userId, content, ids);
  const files = await attachments.carry(userId, ids);
  return { message: { role: "user", content }, files, searched: [] };
}

/** The message to answer: as named, else the newest. `null` names the root of the thread. */
async function findParent(
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
      {
        details: [{ path: "body.conversationId", message: "needed with parentMessageId" }],
      },
    );
  }
  if (named === undefined) return newestMessage(db, conversation.id);
  if (await messageBelongs(db, named, conversation.id)) return named;
  throw new NotFound(
    "message_not_found",
    "There is no such message in this conversation to answer. Read the conversation again.",
  );
}
