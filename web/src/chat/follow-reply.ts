import { toFailure } from "../api/failure.ts";
import type { LiveReply } from "./live-reply.ts";
import { attachToReply, type ReplyEvents } from "./queries.ts";
import { untilReachable } from "./until-reachable.ts";

/** The number of attempts to reach a reply before the user sees an error. */
const MAX_ATTEMPTS = 60;

/**
 * Reads a reply to its end, through every interruption: it attaches again after the event that it
 * had last. `events`: a stream that is open already.
 */
export async function followReply(
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
