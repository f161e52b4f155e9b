import type { Cache } from "../../../platform/cache/cache.ts";
import { publishHint } from "../../../platform/hints/hints.ts";
import { generateReply, STOPPED, type GenerateDeps, type ReplyJob } from "./generate-reply.ts";

/** The replies that this process makes. */
export interface RunningReplies extends AsyncDisposable {
  /** @returns when it has ended. */
  start(job: ReplyJob): Promise<void>;
  /** Stops a conversation's replies, or one of them, on whichever replica they are made. */
  stop(conversationId: string, messageId?: string): Promise<void>;
}

const STOP_CHANNEL = "stop-replies";

interface Stop {
  conversationId: string;
  /** Absent: all of the conversation's. */
  messageId?: string | undefined;
}

export async function runReplies(
  deps: GenerateDeps & { cache: Cache },
  ending: AbortSignal,
): Promise<RunningReplies> {
  const running = new Map<
    string,
    { conversationId: string; stop: AbortController; ended: Promise<void> }
  >();
  const subscription = await deps.cache.subscribe(STOP_CHANNEL, (message) => {
    const { conversationId, messageId } = JSON.parse(message) as Stop; // our own words
    for (const [id, reply] of running)
      if (reply.conversationId === conversationId && (messageId ?? id) === id)
        reply.stop.abort(STOPPED);
  });
  return {
    start(job) {
      const stop = new AbortController();
      const ended = generateReply(deps, job, AbortSignal.any([stop.signal, ending])).finally(() => {
        running.delete(job.messageId);
        publishHint(deps.cache, [job.userId], { type: "conversation", id: job.conversationId });
      });
      running.set(job.messageId, { conversationId: job.conversationId, stop, ended });
      return ended;
    },
    stop: (conversationId, messageId) =>
      deps.cache.publish(
        STOP_CHANNEL,
        JSON.stringify({ conversationId, messageId } satisfies Stop),
      ),
    async [Symbol.asyncDispose]() {
      await subscription[Symbol.asyncDispose]();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
