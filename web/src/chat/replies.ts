import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ownBudgetsQuery } from "../shell/budget-queries.ts";
import { recentQuery } from "../shell/queries.ts";
import { followReply } from "./follow-reply.ts";
import { LiveReply } from "./live-reply.ts";
import { conversationQuery, type ReplyEvents } from "./queries.ts";
import { Store } from "./store.ts";

/** Replies in progress, by the id of their message. They continue while other pages are open. */
const live = new Store<ReadonlyMap<string, LiveReply>>(new Map());
const controllers = new Map<string, AbortController>();

export function useLiveReply(messageId: string | undefined): LiveReply | undefined {
  const replies = useSyncExternalStore(live.subscribe, live.get);
  return messageId === undefined ? undefined : replies.get(messageId);
}

/**
 * Follows a reply to its end, then shows it as it is stored. `events`: a stream of it that is open
 * already. A reply that is followed already is left alone.
 */
export function startFollowing(
  queries: QueryClient,
  reply: Pick<LiveReply, "conversationId" | "messageId">,
  events?: ReplyEvents,
): LiveReply {
  const known = live.get().get(reply.messageId);
  if (known && !known.hasEnded) return known;
  const followed = known ?? new LiveReply(reply.conversationId, reply.messageId);
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
