import type { CheckRights } from "./check-rights.ts";
import { generateReply, STOPPED, type GenerateDeps } from "./generate-reply.ts";
import type { ReplyToMake } from "./reply-to-make.ts";
import { watchRights } from "./watch-rights.ts";

/** Runs the replies of this process. */
export interface ReplyRunner extends AsyncDisposable {
  /** Starts a reply. @returns when it has ended. */
  start(toMake: ReplyToMake): Promise<void>;
  /** The ids of the replies that run now. */
  running(): string[];
  /** Stops the replies of a conversation, or one of them, on whichever replica they run. */
  stop(conversationId: string, messageId?: string): Promise<void>;
}

const STOP_CHANNEL = "stop-replies";

interface Stop {
  conversationId: string;
  /** Absent: all replies of the conversation. */
  messageId?: string | undefined;
}

interface RunningReply {
  toMake: ReplyToMake;
  stop: AbortController;
  ended: Promise<void>;
}

/**
 * A reply whose user loses the right to it ends with the reason, also without readers. `ending`
 * aborts when the process ends.
 */
export async function createReplyRunner(
  deps: GenerateDeps & { checkRights: CheckRights },
  ending: AbortSignal,
): Promise<ReplyRunner> {
  const running = new Map<string, RunningReply>();
  const rights = watchRights(deps.checkRights, running, deps.log);
  const subscription = await deps.cache.subscribe(STOP_CHANNEL, (message) => {
    // the message is our own
    const { conversationId, messageId } = JSON.parse(message) as Stop;
    for (const [id, reply] of running)
      if (reply.toMake.conversationId === conversationId && (messageId ?? id) === id)
        reply.stop.abort(STOPPED);
  });
  return {
    start(toMake) {
      const stop = new AbortController();
      const ended = generateReply(
        deps,
        toMake,
        AbortSignal.any([stop.signal, ending]),
      ).finally(() => {
        running.delete(toMake.messageId);
        rights.adjust();
      });
      running.set(toMake.messageId, { toMake, stop, ended });
      rights.adjust();
      return ended;
    },
    running: () => [...running.keys()],
    stop(conversationId, messageId) {
      const message: Stop = { conversationId, messageId };
      return deps.cache.publish(STOP_CHANNEL, JSON.stringify(message));
    },
    async [Symbol.asyncDispose]() {
      await subscription[Symbol.asyncDispose]();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
