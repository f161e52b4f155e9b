import type { User } from "../../../platform/http/caller.ts";
import { conversationNotFound } from "../conversations/access.ts";
import { findConversation, updateConversation } from "../conversations/store.ts";
import type { AgentRun, AskAgent } from "../contract-agent-replies.ts";
import { ofConversation } from "../labels/read-resources.ts";
import type { ActingUsers } from "../acting-users.ts";
import type { ReceiveDeps } from "./begin-reply.ts";
import { waitForReply } from "./read-reply.ts";
import { receiveMessage } from "./receive-message.ts";
import type { ReplyRunner } from "./reply-runner.ts";
import type { Cache } from "../../../platform/cache/cache.ts";

interface Deps extends ReceiveDeps {
  cache: Cache;
  actingUsers: Pick<ActingUsers, "find">;
  runner: ReplyRunner;
}

/**
 * Lets an agent answer in a conversation of its own, once per key: a repeated request gets the
 * state of the first one's reply. Waits for its end for as long as the request says. Destructive
 * tools wait for the user's decision, as in the user's own conversations.
 * @throws Forbidden `user_disabled`, and what receiving a message throws.
 */
export async function runAgent(
  deps: Deps,
  { userId, clientId, waitMs, ...request }: AskAgent,
  signal: AbortSignal,
): Promise<AgentRun> {
  const user = { ...(await deps.actingUsers.find(userId)), clientId };
  const { toMake, reply } = await receive(deps, user, request);
  if (toMake) {
    toMake.reads = (request.readFrom ?? []).map(ofConversation);
    await updateConversation(deps.db, reply.conversationId, { title: request.title });
    delete toMake.titleFor;
    void deps.runner.start(toMake);
  }
  const until = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  const message = await waitForReply(deps, user, reply, until);
  if (!message) throw conversationNotFound();
  const {
    id: messageId,
    conversationId,
    status,
    finishReason,
    content,
    usage,
    error,
  } = message;
  const waiting = finishReason === "approval";
  return { conversationId, messageId, status, waiting, content, usage, error };
}

function receive(
  deps: Deps,
  user: User,
  { key, agentId, content, instructions }: Omit<AskAgent, "userId" | "clientId" | "waitMs">,
) {
  const message = {
    content,
    agentId,
    instructions,
    files: [],
    stream: false,
    approval: "destructive" as const,
  };
  return receiveMessage(deps, user, message, key);
}

/** @throws NotFound for a conversation that is not the user's. */
export async function stopAgent(
  { db, runner }: Pick<Deps, "db" | "runner">,
  { userId, conversationId }: { userId: string; conversationId: string },
): Promise<{ stopped: boolean }> {
  if (!(await findConversation(db, conversationId, userId))) throw conversationNotFound();
  await runner.stop(conversationId);
  return { stopped: true };
}
