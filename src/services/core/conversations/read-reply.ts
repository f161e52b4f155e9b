import { setTimeout as sleep } from "node:timers/promises";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { User } from "../../../platform/http/caller.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import { type AccessDeps, conversationFor } from "./access.ts";
import { FinishReason } from "../../agent/contract.ts";
import type { ConversationEvent, ConversationMessage } from "./contract.ts";
import { followReply, refusalOf } from "./reply-log.ts";
import type { ReplyRow } from "./reply-store.ts";
import { findMessage } from "./store.ts";

interface Deps extends AccessDeps {
  cache: Cache;
}

/** How often a reply that has no log is looked at. */
const LOOK_MS = 500;

/**
 * The reply's events from an index on, in wire form: from its log while that is there, otherwise as
 * it was stored once it has ended.
 */
export async function* readAlong(
  deps: Deps,
  user: User,
  reply: ReplyRow,
  { from, signal }: { from: number; signal: AbortSignal },
): AsyncGenerator<string[]> {
  let seen = from;
  const what = following(deps, user, reply, from);
  const live = followReply(deps.cache, what, signal);
  for (;;) {
    const next = await live.next();
    if (next.done) {
      if (next.value || signal.aborted) return;
      break;
    }
    seen += 1;
    yield next.value;
  }
  const message = await storedReply(deps, reply, signal);
  const refusal = await refusalOf(what.allowed);
  if (refusal) yield [refusal];
  else yield* stored(message, seen);
}

/** The reply, when it has ended; as it is when the signal aborts. */
export async function endedReply(
  deps: Deps,
  user: User,
  reply: ReplyRow,
  signal: AbortSignal,
): Promise<ConversationMessage | undefined> {
  for await (const _ of followReply(deps.cache, following(deps, user, reply, 0), signal));
  return storedReply(deps, reply, signal);
}

function following(
  deps: Deps,
  user: User,
  { id: messageId, run, conversationId }: ReplyRow,
  from: number,
) {
  return {
    messageId,
    run,
    from,
    hasEnded: async () => (await findMessage(deps.db, messageId))?.status !== "streaming",
    allowed: stillAllowed(deps, user, conversationId),
  };
}

/** Whether the user may still read the conversation; its owner is asked once. */
function stillAllowed(deps: Deps, user: User, id: string): () => Promise<void> {
  let isOwner = false;
  return async () => {
    if (!isOwner)
      isOwner = (await conversationFor(deps, user, id, "viewer")).userId === user.userId;
  };
}

async function storedReply(
  { db }: Deps,
  { id }: ReplyRow,
  signal: AbortSignal,
): Promise<ConversationMessage | undefined> {
  for (;;) {
    const message = await findMessage(db, id);
    if (message?.status !== "streaming" || signal.aborted) return message;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

async function* stored(
  message: ConversationMessage | undefined,
  from: number,
): AsyncGenerator<string[]> {
  if (!message) return;
  const events: ConversationEvent[] = [
    {
      type: "conversation",
      conversationId: message.conversationId,
      userMessageId: message.parentId ?? message.id,
      messageId: message.id,
    },
    ...message.toolCalls.flatMap(({ arguments: given, ...result }): ConversationEvent[] => [
      { type: "tool_call", toolCallId: result.toolCallId, name: result.name, arguments: given },
      { type: "tool_result", ...result },
    ]),
    ...(message.sources.length > 0 ? [{ type: "sources" as const, sources: message.sources }] : []),
    ...(message.content ? [{ type: "text_delta" as const, delta: message.content }] : []),
    ...message.waiting.map((call): ConversationEvent => ({ type: "approval", ...call })),
    message.error
      ? { type: "error", ...message.error }
      : {
          type: "done",
          messageId: message.id,
          content: message.content,
          finishReason:
            message.status === "stopped"
              ? "cancelled"
              : (FinishReason.safeParse(message.finishReason).data ?? "stop"),
          iterations: 1,
          usage: message.usage ?? { inputTokens: 0, outputTokens: 0 },
        },
  ];
  // a reader who had some of it already is given the end alone: the indexes of then are not those
  // of now
  for (const event of from > 0 ? events.slice(-1) : events) yield [encodeEvent(event)];
}
