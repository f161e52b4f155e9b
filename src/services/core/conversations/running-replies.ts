import type { Cache } from "../../../platform/cache/cache.ts";
import { generateReply, STOPPED, type GenerateDeps, type ReplyJob } from "./generate-reply.ts";

/** The replies that this process makes. */
export interface RunningReplies extends AsyncDisposable {
  /** @returns when it has ended. */
  start(job: ReplyJob): Promise<void>;
  /** Stops a conversation's replies on whichever replica they are made. */
  stop(conversationId: string): Promise<void>;
}

const STOP_CHANNEL = "stop-replies";

export async function runReplies(
  deps: GenerateDeps & { cache: Cache },
  ending: AbortSignal,
): Promise<RunningReplies> {
  const running = new Map<
    string,
    { conversationId: string; stop: AbortController; ended: Promise<void> }
  >();
  const subscription = await deps.cache.subscribe(STOP_CHANNEL, (conversationId) => {
    for (const reply of running.values())
      if (reply.conversationId === conversationId) reply.stop.abort(STOPPED);
  });
  return {
    start(job) {
      const stop = new AbortController();
      const ended = generateReply(deps, job, AbortSignal.any([stop.signal, ending])).finally(() =>
        running.delete(job.messageId),
      );
      running.set(job.messageId, { conversationId: job.conversationId, stop, ended });
      return ended;
    },
    stop: (conversationId) => deps.cache.publish(STOP_CHANNEL, conversationId),
    async [Symbol.asyncDispose]() {
      await subscription[Symbol.asyncDispose]();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
