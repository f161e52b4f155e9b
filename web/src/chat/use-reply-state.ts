import { useMemo, useSyncExternalStore } from "react";
import type { LiveReply } from "./live-reply.ts";
import type { ThreadMessage } from "./queries.ts";
import { NEW_REPLY, type ReplyState } from "./reply-state.ts";

/** The stored message, or the one in progress. */
export function useReplyState(
  message: ThreadMessage,
  live: LiveReply | undefined,
): ReplyState {
  const stored = useMemo(() => toState(message), [message]);
  const growing = useSyncExternalStore(
    live?.subscribe ?? neverChanges,
    live?.snapshot ?? (() => undefined),
  );
  if (!growing) return stored;
  // until the first events come after a reload, what is stored is shown
  const isBehind =
    growing.phase === "connecting" && growing.text.length < stored.text.length;
  return isBehind ? { ...stored, phase: "connecting" } : growing;
}

function neverChanges(): () => void {
  return () => {};
}

function toState(message: ThreadMessage): ReplyState {
  return {
    ...NEW_REPLY,
    phase: message.status === "streaming" ? "connecting" : "ended",
    text: message.content,
    reasoning: message.reasoning,
    tools: message.toolCalls,
    sources: message.sources,
    canvases: message.canvases,
    waiting: message.waiting,
    error: message.error ?? undefined,
    finishReason:
      message.status === "stopped" ? "cancelled" : (message.finishReason ?? undefined),
  };
}
