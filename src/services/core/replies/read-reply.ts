import { setTimeout as sleep } from "node:timers/promises";
import { pushed } from "../../../platform/batches.ts";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { User } from "../../../platform/http/caller.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import { FinishReason } from "../../agent-loop/contract-events.ts";
import { type AccessDeps, conversationFor } from "../conversations/access.ts";
import type { ConversationMessage } from "../conversations/contract-messages.ts";
import { findMessage } from "../conversations/store.ts";
import type { ConversationEvent } from "./contract.ts";
import { followReply, refusalOf } from "./follow-reply.ts";
import type { ReplyRow } from "./store.ts";

interface Deps extends AccessDeps {
  cache: Cache;
}

/** How often a reply without a log is read until it has ended. */
const POLL_INTERVAL_MS = 500;

interface Reading {
  /** The index of the first event. */
  from: number;
  signal: AbortSignal;
  /** Whether the conversation was just seen to be the user's own. */
  isOwner?: boolean;
}

/**
 * The events of a reply from an index on, in wire form: from its log while that is there, otherwise
 * as they were stored when it has ended.
 */
export function streamReply(
  deps: Deps,
  user: User,
  reply: ReplyRow,
  { from, signal, isOwner = false }: Reading,
): AsyncIterable<string[]> {
  return pushed(async (emit) => {
    let index = from;
    const following = toFollowing(deps, user, reply, from, isOwner);
    const isWhole = await followReply(deps.cache, following, signal, (entries) => {
      index += 1;
      return emit(entries);
    });
    if (isWhole || signal.aborted) return;
    const message = await readEndedReply(deps, reply, signal);
    const refusal = await refusalOf(following.checkAccess);
    if (refusal) await emit([refusal]);
    else if (message) for (const last of encodeStored(message, index)) await emit(last);
  });
}

/** The reply when it has ended, or as it is when the signal aborts. */
export async function waitForReply(
  deps: Deps,
  user: User,
  reply: ReplyRow,
  signal: AbortSignal,
): Promise<ConversationMessage | undefined> {
  const following = toFollowing(deps, user, reply, 0);
  await followReply(deps.cache, following, signal, () => {});
  return readEndedReply(deps, reply, signal);
}

function toFollowing(
  deps: Deps,
  user: User,
  { id: messageId, segment, conversationId }: ReplyRow,
  from: number,
  isOwner = false,
) {
  return {
    messageId,
    segment,
    from,
    hasEnded: async () => (await findMessage(deps.db, messageId))?.status !== "streaming",
    checkAccess: accessCheck(deps, user, conversationId, isOwner),
  };
}

/** Checks that the user may still read the conversation. Its owner is checked once. */
function accessCheck(
  deps: Deps,
  user: User,
  id: string,
  isKnownOwner: boolean,
): () => Promise<void> {
  let isOwner = isKnownOwner;
  return async () => {
    if (isOwner) return;
    const { userId } = await conversationFor(deps, user, id, "viewer");
    isOwner = userId === user.userId;
  };
}

async function readEndedReply(
  { db }: Deps,
  { id }: ReplyRow,
  signal: AbortSignal,
): Promise<ConversationMessage | undefined> {
  for (;;) {
    const message = await findMessage(db, id);
    if (message?.status !== "streaming" || signal.aborted) return message;
    // ended by the signal, which the loop asks
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * A reader who has some events already gets the last one alone: the indexes of the log are not
 * those of the stored reply.
 */
function* encodeStored(message: ConversationMessage, from: number): Generator<string[]> {
  const last = storedEnding(message);
  const events = from > 0 ? [last] : [...toEvents(message), last];
  for (const event of events) yield [encodeEvent(event)];
}

function toEvents(message: ConversationMessage): ConversationEvent[] {
  const { id: messageId, conversationId, parentId, sources, reasoning, content } = message;
  const userMessageId = parentId ?? messageId;
  const events: ConversationEvent[] = [
    { type: "conversation", conversationId, userMessageId, messageId },
  ];
  if (message.answeredBy) events.push({ type: "answered_by", ...message.answeredBy });
  if (reasoning) events.push({ type: "reasoning_delta", delta: reasoning });
  for (const { arguments: values, ...result } of message.toolCalls) {
    const { toolCallId, name } = result;
    events.push({ type: "tool_call", toolCallId, name, arguments: values });
    events.push({ type: "tool_result", ...result });
  }
  for (const warning of message.warnings ?? [])
    events.push({ type: "warning", ...warning });
  const notFound = message.notFound ?? undefined;
  if (sources.length > 0 || notFound)
    events.push({ type: "sources", sources, ...(notFound && { notFound }) });
  if (content) events.push({ type: "text_delta", delta: content });
  for (const call of message.waiting) events.push({ type: "approval", ...call });
  return events;
}

function storedEnding({
  id: messageId,
  content,
  status,
  finishReason,
  usage,
  answeredBy,
  error,
}: ConversationMessage): ConversationEvent {
  if (error) return { type: "error", ...error };
  const reason = FinishReason.safeParse(finishReason).data ?? "stop";
  return {
    type: "done",
    messageId,
    content,
    finishReason: status === "stopped" ? "cancelled" : reason,
    iterations: 1,
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    ...(answeredBy && { answeredBy }),
  };
}
