import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { type Caller, type User, userOf } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../platform/http/stream.ts";
import type { AccessRole } from "../../users/contract-sharing.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Budgets } from "../usage/budgets.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { Sharing } from "../sharing.ts";
import { type Conversation, conversationsContract as contract, type Reply } from "./contract.ts";
import type { Attachments } from "./attachments.ts";
import { keepTranscript, runAgent, stopAgent } from "./agent-run.ts";
import { exportConversation } from "./export-conversation.ts";
import { conversationOf, messageNotFound, readReaction, setReaction } from "./reactions.ts";
import { conversationFor, conversationNotFound, visibleConversations } from "./access.ts";
import type { LimitExports } from "../limit-exports.ts";
import { toApiError } from "../../../platform/http/to-api-error.ts";
import { runsContract } from "../contract-runs.ts";
import { endedReply, readAlong } from "./read-reply.ts";
import { resumeAt } from "./reply-log.ts";
import { readThread } from "./read-thread.ts";
import { regenerateReply } from "./regenerate-reply.ts";
import { replyOf, type ReplyRow } from "./reply-store.ts";
import type { ReplyWriter } from "./reply-writer.ts";
import { searchConversations } from "./search.ts";
import { listTags, setTags } from "./tags.ts";
import { purgeConversation, restoreConversation } from "./trash.ts";
import type { RunningReplies } from "./running-replies.ts";
import { sendMessage } from "./send-message.ts";
import type { Sent } from "./begin-reply.ts";
import {
  deleteConversation,
  findConversations,
  listConversations,
  listMessages,
  updateConversation,
} from "./store.ts";

interface Deps {
  db: Database;
  maxTags: number;
  writer: ReplyWriter;
  /** Makes a new conversation known to whom it may be shared through. */
  register: (conversation: { id: string; ownerId: string }) => Promise<void>;
  cache: Cache;
  log: Logger;
  sharing: Sharing;
  exports: LimitExports;
  budgets: Budgets;
  attachments: Attachments;
  replies: RunningReplies;
  use: PermittedUse;
}

interface ReadingOptions {
  stream: boolean;
  signal: AbortSignal;
}

const keyOf = (request: Request) => request.headers.get("idempotency-key") ?? undefined;

export function conversationRoutes(routes: Routes, deps: Deps): Routes {
  const { db, replies, log, sharing, exports } = deps;
  const reach = (caller: Caller, id: string, needed: AccessRole) =>
    conversationFor(deps, userOf(caller), id, needed);
  /** A message is there for whoever may do as much with its conversation. */
  const reachMessage = async (caller: Caller, messageId: string, needed: AccessRole) => {
    const id = await conversationOf(db, messageId);
    await reach(caller, id, needed).catch((error: unknown) => {
      throw error instanceof NotFound ? messageNotFound() : error;
    });
  };
  const answerWith = async (user: User, { job, reply, isNew }: Sent, how: ReadingOptions) => {
    // not awaited: what fails is repeated by the sweep
    if (isNew)
      void deps
        .register({ id: reply.conversationId, ownerId: user.userId })
        .catch((error: unknown) =>
          log.warn({ err: error }, "a new conversation could not be registered for sharing yet"),
        );
    if (job) void replies.start(job);
    // sent before, with the same key: the conversation may not be the caller's to see any more
    else await conversationFor(deps, user, reply.conversationId, "viewer");
    return how.stream
      ? encodedEventStream(readAlong(deps, user, reply, { from: 0, signal: how.signal }))
      : wholeReply(deps, user, reply, how.signal);
  };
  return routes
    .on(runsContract.keepTranscript, ({ body: { userId, clientId, ...said } }) =>
      keepTranscript(db, { userId, clientId }, said),
    )
    .on(runsContract.runAgent, ({ body: { userId, clientId, ...ask }, signal }) =>
      runAgent(deps, { userId, clientId }, ask, signal),
    )
    .on(runsContract.stopAgent, ({ body }) => stopAgent(deps, body.userId, body.conversationId))
    .on(contract.send, async ({ body, caller, request, signal }) => {
      const user = userOf(caller);
      const sent = await sendMessage(deps, user, body, keyOf(request));
      return answerWith(user, sent, { stream: body.stream, signal });
    })
    .on(contract.regenerate, async ({ body, params, caller, request, signal }) => {
      const user = userOf(caller);
      const sent = await regenerateReply(deps, user, { ...body, ...params }, keyOf(request));
      return answerWith(user, sent, { stream: body.stream, signal });
    })
    .on(contract.chatHistory, async ({ caller, query }) => ({
      ...(await listConversations(db, userOf(caller).userId, query.limit, offsetOf(query))),
      page: query.page,
      limit: query.limit,
    }))
    .on(contract.search, async ({ caller, query }) => {
      const {
        tags = [],
        query: words,
        order,
        sort = words ? "relevance" : "updatedAt",
        page,
        limit,
      } = query;
      const ask = { query: words, tags, sort, order, limit, offset: offsetOf(query) };
      return { ...(await searchConversations(db, userOf(caller).userId, ask)), page, limit };
    })
    .on(contract.tags, async ({ caller, query }) => ({
      ...(await listTags(db, userOf(caller).userId, query.limit, offsetOf(query))),
      page: query.page,
      limit: query.limit,
    }))
    .on(contract.trash, async ({ caller, query }) => ({
      ...(await listConversations(db, userOf(caller).userId, query.limit, offsetOf(query), {
        deleted: true,
      })),
      page: query.page,
      limit: query.limit,
    }))
    .on(contract.purge, async ({ caller, params }) => {
      await purgeConversation(db, userOf(caller).userId, params.conversationId);
      await sharing.forget("conversation", params.conversationId);
    })
    .on(contract.restore, async ({ caller, params }) => {
      await restoreConversation(db, userOf(caller).userId, params.conversationId);
      return reach(caller, params.conversationId, "owner");
    })
    .on(contract.getReaction, async ({ caller, params }) => {
      await reachMessage(caller, params.messageId, "viewer");
      return readReaction(db, userOf(caller).userId, params.messageId);
    })
    .on(contract.setReaction, async ({ caller, params, body }) => {
      await reachMessage(caller, params.messageId, "commenter");
      return setReaction(db, userOf(caller).userId, params.messageId, body);
    })
    .on(contract.export, async ({ caller, params, query }) => {
      const conversation = await reach(caller, params.conversationId, "viewer");
      const { userId } = userOf(caller);
      return exports.during(userId, () =>
        exportConversation(db, conversation, query.format, userId),
      );
    })
    .on(contract.multiple, async ({ caller, query }) => {
      if (caller.kind !== "user")
        return withMessages(db, await findConversations(db, query.ids, undefined), undefined);
      return withMessages(db, await visibleConversations(deps, caller, query.ids), caller.userId);
    })
    .on(contract.messages, async ({ caller, params, query: { leaf, before, limit } }) => {
      const { id } = await reach(caller, params.conversationId, "viewer");
      const reader = userOf(caller).userId;
      return readThread(db, { conversationId: id, leaf, before, limit, reader });
    })
    .on(contract.get, async ({ caller, params, query }) => {
      const conversation = await reach(caller, params.conversationId, "viewer");
      if (query.messages === "none") return { ...conversation, messages: [] };
      const [whole] = await withMessages(db, [conversation], userOf(caller).userId);
      if (!whole) throw conversationNotFound();
      return whole;
    })
    .on(contract.change, async ({ caller, params, body }) => {
      await reach(caller, params.conversationId, "editor");
      await updateConversation(db, params.conversationId, body);
      if (body.tags) await setTags(deps, userOf(caller).userId, params.conversationId, body.tags);
      return reach(caller, params.conversationId, "editor");
    })
    .on(contract.remove, async ({ caller, params }) => {
      await reach(caller, params.conversationId, "owner");
      await replies.stop(params.conversationId);
      await deleteConversation(db, params.conversationId);
    })
    .on(contract.attach, async ({ caller, params, query, request, signal }) => {
      const conversation = await reach(caller, params.conversationId, "viewer");
      const reply = await replyOf(db, conversation.id, query.messageId);
      const from = resumeAt(request.headers.get("last-event-id"), reply.run);
      return encodedEventStream(readAlong(deps, userOf(caller), reply, { from, signal }));
    })
    .on(contract.stop, async ({ caller, params, body }) => {
      const conversation = await reach(caller, params.conversationId, "editor");
      const reply = await replyOf(db, conversation.id, body?.messageId);
      await replies.stop(conversation.id, reply.id);
      return { stopped: reply.status === "streaming", messageId: reply.id };
    });
}

/** `reader`: whose reactions are shown. */
async function withMessages(
  db: Database,
  conversations: Conversation[],
  reader: string | undefined,
) {
  if (conversations.length === 0) return [];
  const messages = await listMessages(
    db,
    conversations.map(({ id }) => id),
    reader,
  );
  return conversations.map((conversation) => ({
    ...conversation,
    messages: messages.filter(({ conversationId }) => conversationId === conversation.id),
  }));
}

/** Waits for the reply and gives it as one object. */
async function wholeReply(
  deps: Deps,
  user: User,
  reply: ReplyRow,
  signal: AbortSignal,
): Promise<Reply> {
  const message = await endedReply(deps, user, reply, signal);
  const conversation = await conversationFor(deps, user, reply.conversationId, "viewer");
  if (!message) throw conversationNotFound();
  const { toolCalls, content, sources, usage, finishReason, error } = message;
  const shown = {
    conversationId: conversation.id,
    messageId: message.id,
    userMessageId: reply.parentId,
  };
  if (error) throw toApiError(error, { ...shown, content, toolCalls });
  return {
    ...shown,
    content,
    finishReason: finishReason ?? "stop",
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    sources,
    toolCalls,
    title: conversation.title,
  };
}
