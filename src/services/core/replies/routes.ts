import type { Cache } from "../../../platform/cache/cache.ts";
import { type User, userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../platform/http/stream.ts";
import { conversationFor, conversationNotFound } from "../conversations/access.ts";
import { agentRepliesContract } from "../contract-agent-replies.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";
import type { ReceiveDeps, Received } from "./begin-reply.ts";
import { repliesContract as contract, type Reply } from "./contract.ts";
import { resumeAt } from "./follow-reply.ts";
import { streamReply, waitForReply } from "./read-reply.ts";
import { receiveMessage } from "./receive-message.ts";
import { regenerateReply } from "./regenerate-reply.ts";
import type { ReplyRunner } from "./reply-runner.ts";
import type { ActingUsers } from "../acting-users.ts";
import { runAgent, stopAgent } from "./run-agent.ts";
import { replyOf, type ReplyRow } from "./store.ts";

interface Deps extends ReceiveDeps {
  cache: Cache;
  actingUsers: Pick<ActingUsers, "find">;
  runner: ReplyRunner;
}

const keyOf = (request: Request) => request.headers.get("idempotency-key") ?? undefined;

export function replyRoutes(routes: Routes, deps: Deps): Routes {
  const { db, runner } = deps;
  return routes
    .on(contract.send, async ({ body, caller, request, signal }) => {
      const user = userOf(caller);
      const received = await receiveMessage(deps, user, body, keyOf(request));
      return answer(deps, user, received, { stream: body.stream, signal });
    })
    .on(contract.regenerate, async ({ body, params, caller, request, signal }) => {
      const user = userOf(caller);
      const wanted = { ...body, ...params };
      const received = await regenerateReply(deps, user, wanted, keyOf(request));
      return answer(deps, user, received, { stream: body.stream, signal });
    })
    .on(contract.attach, async ({ caller, params, query, request, signal }) => {
      const user = userOf(caller);
      const conversation = await conversationFor(
        deps,
        user,
        params.conversationId,
        "viewer",
      );
      const reply = await replyOf(db, conversation.id, query.messageId);
      const from = resumeAt(request.headers.get("last-event-id"), reply.segment);
      const isOwner = conversation.userId === user.userId;
      const reading = { from, signal, isOwner };
      return encodedEventStream(streamReply(deps, user, reply, reading));
    })
    .on(contract.stop, async ({ caller, params, body }) => {
      const user = userOf(caller);
      const conversation = await conversationFor(
        deps,
        user,
        params.conversationId,
        "editor",
      );
      const reply = await replyOf(db, conversation.id, body?.messageId);
      await runner.stop(conversation.id, reply.id);
      return { stopped: reply.status === "streaming", messageId: reply.id };
    })
    .on(agentRepliesContract.runAgent, ({ body, signal }) => runAgent(deps, body, signal))
    .on(agentRepliesContract.stopAgent, ({ body }) => stopAgent(deps, body));
}

/** Starts the reply to a received message, and answers with its events or with the whole. */
async function answer(
  deps: Deps,
  user: User,
  { toMake, reply }: Received,
  { stream, signal }: { stream: boolean; signal: AbortSignal },
): Promise<Response | Reply> {
  if (toMake) void deps.runner.start(toMake);
  // received before with the same key: the user may have lost access to the conversation since
  else await conversationFor(deps, user, reply.conversationId, "viewer");
  if (stream) {
    const reading = { from: 0, signal, isOwner: toMake?.isNew === true };
    return encodedEventStream(streamReply(deps, user, reply, reading));
  }
  return wholeReply(deps, user, reply, signal);
}

/** The reply as one object, when it has ended. */
async function wholeReply(
  deps: Deps,
  user: User,
  reply: ReplyRow,
  signal: AbortSignal,
): Promise<Reply> {
  const message = await waitForReply(deps, user, reply, signal);
  const conversation = await conversationFor(deps, user, reply.conversationId, "viewer");
  if (!message) throw conversationNotFound();
  const { toolCalls, waiting, content, sources, notFound, usage, finishReason, error } =
    message;
  const { warnings, answeredBy } = message;
  const ids = {
    conversationId: conversation.id,
    messageId: message.id,
    userMessageId: reply.parentId,
  };
  if (error) throw toApiError(error, { ...ids, content, toolCalls });
  return {
    ...ids,
    content,
    finishReason: finishReason ?? "stop",
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    sources,
    notFound,
    warnings,
    answeredBy,
    toolCalls,
    waiting,
    title: conversation.title,
  };
}
