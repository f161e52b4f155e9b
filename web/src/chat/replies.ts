import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ownBudgetsQuery } from "../shell/budget-queries.ts";
import { recentQuery } from "../shell/queries.ts";
import { LiveReply } from "./live-reply.ts";
import {
  conversationQuery,
  type ReplyEvents,
  type ThreadMessage,
  attachToReply,
} from "./queries.ts";
import { toState } from "./reply-state.ts";
import { Store } from "./store.ts";
import { toFailure } from "../api/failure.ts";
import { untilReachable } from "./until-reachable.ts";

/** Replies in progress, by the id of their message. They continue while other pages are open. */
const live = new Store<ReadonlyMap<string, LiveReply>>(new Map());
const controllers = new Map<string, AbortController>();

export function useLiveReply(messageId: string | undefined): LiveReply | undefined {
  const replies = useSyncExternalStore(live.subscribe, live.get);
  return messageId === undefined ? undefined : replies.get(messageId);
}

interface Begun {
  /** A stream of it that is open already. */
  events?: ReplyEvents;
  /** What the page read of it. */
  stored?: ThreadMessage;
}

/**
 * Follows a reply to its end, then shows it as it is stored. A reply that is followed already is
 * left alone.
 */
export function startFollowing(
  queries: QueryClient,
  reply: Pick<LiveReply, "conversationId" | "messageId">,
  { events, stored }: Begun,
): LiveReply {
  const known = live.get().get(reply.messageId);
  if (known && !known.hasEnded) return known;
  const { conversationId, messageId } = reply;
  const followed =
    known ?? new LiveReply(conversationId, messageId, stored && toState(stored));
  if (known) known.beginAgain();
  const controller = new AbortController();
  controllers.set(followed.messageId, controller);
  live.set(new Map(live.get()).set(followed.messageId, followed));
  const stopWatching = readWrittenCanvases(queries, followed);
  void followReply(followed, controller.signal, events).then(() => {
    stopWatching();
    return settle(queries, followed);
  });
  return followed;
}

/** Reads a canvas again as soon as the reply has written a version of it. */
function readWrittenCanvases(queries: QueryClient, reply: LiveReply): () => void {
  let seen = reply.snapshot().canvases.length;
  return reply.subscribe(() => {
    const { canvases } = reply.snapshot();
    for (const { canvasId } of canvases.slice(seen))
      void queries.invalidateQueries({ queryKey: ["canvas", canvasId] });
    seen = canvases.length;
  });
}

async function settle(queries: QueryClient, reply: LiveReply): Promise<void> {
  controllers.delete(reply.messageId);
  // with the end of the reply come the passages that they cite
  for (const { canvasId } of reply.snapshot().canvases)
    void queries.invalidateQueries({ queryKey: ["canvas", canvasId] });
  const { queryKey } = conversationQuery(reply.conversationId);
  void queries.invalidateQueries(recentQuery);
  void queries.invalidateQueries(ownBudgetsQuery);
  // a reading that began before the end would show the reply as it was
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
  const isStored = queries.getQueryState(queryKey)?.status === "success";
  if (!isStored || !reply.hasEnded) return;
  const others = new Map(live.get());
  others.delete(reply.messageId);
  live.set(others);
}

/** The number of attempts to reach a reply before the user sees an error. */
const MAX_ATTEMPTS = 60;

/**
 * Reads a reply to its end, through every interruption: it attaches again after the event that it
 * had last. `events`: a stream that is open already.
 */
async function followReply(
  reply: LiveReply,
  signal: AbortSignal,
  events?: ReplyEvents,
): Promise<void> {
  let opened = events;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      const before = reply.lastEventId;
      const wasHidden = await whileVisible(signal, (visible) =>
        read(reply, visible, opened),
      );
      if (reply.hasEnded) return;
      if (reply.lastEventId !== before) attempt = 0;
      if (wasHidden) {
        opened = undefined;
        await untilVisible(signal);
        continue;
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = toFailure(error);
      if (!failure.isTemporary) {
        const { code, message } = failure;
        reply.add({ type: "error", code, error: message }, undefined);
        return;
      }
    }
    opened = undefined;
    reply.setPhase("reattaching");
    await untilReachable(attempt, signal);
    if (signal.aborted) return;
  }
  reply.add(
    { type: "error", code: "offline", error: "The server cannot be reached." },
    undefined,
  );
}

/** Reads a stream, or attaches to the reply after the event that it had last. */
async function read(
  reply: LiveReply,
  signal: AbortSignal,
  opened: ReplyEvents | undefined,
): Promise<void> {
  for await (const batch of opened ?? attachToReply(reply, reply.lastEventId, signal)) {
    for (const { event, id } of batch) reply.add(event, id);
    if (signal.aborted) return;
  }
}

/** A tab that is hidden for long closes its connection, because browsers limit them by server. */
const MAX_HIDDEN_MS = 10_000;

/**
 * Runs with a signal that aborts when the outer one does, or when the page is hidden for a while.
 * @returns whether the page was hidden.
 */
async function whileVisible(
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const hidden = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden")
      timer = setTimeout(() => hidden.abort(), MAX_HIDDEN_MS);
  };
  watch();
  document.addEventListener("visibilitychange", watch);
  try {
    await run(AbortSignal.any([outer, hidden.signal]));
  } catch (error) {
    if (!hidden.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", watch);
  }
  return hidden.signal.aborted;
}

/** Waits until the page is shown, or the signal aborts. */
async function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible" || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => document.visibilityState === "visible" && resolve();
  const stop = () => resolve();
  document.addEventListener("visibilitychange", done);
  signal.addEventListener("abort", stop);
  await promise;
  document.removeEventListener("visibilitychange", done);
  signal.removeEventListener("abort", stop);
}
