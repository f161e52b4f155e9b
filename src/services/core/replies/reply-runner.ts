import { Forbidden } from "../../../platform/http/errors.ts";
import { whileAdmitted } from "../../../platform/http/still-admitted.ts";
import type { CheckRights } from "./check-rights.ts";
import { generateReply, STOPPED, type GenerateDeps } from "./generate-reply.ts";
import type { ReplyToMake } from "./reply-to-make.ts";

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
/** Most replies end sooner, so few are checked. */
const CHECK_INTERVAL_MS = 5_000;

interface Stop {
  conversationId: string;
  /** Absent: all replies of the conversation. */
  messageId?: string | undefined;
}

interface RunningReply {
  conversationId: string;
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
  const subscription = await deps.cache.subscribe(STOP_CHANNEL, (message) => {
    // the message is our own
    const { conversationId, messageId } = JSON.parse(message) as Stop;
    for (const [id, reply] of running)
      if (reply.conversationId === conversationId && (messageId ?? id) === id)
        reply.stop.abort(STOPPED);
  });
  return {
    start(toMake) {
      const stop = new AbortController();
      const stopChecks = whileAdmitted({
        admitted: () => refuseLostRights(deps.checkRights, toMake),
        end: (reason) => stop.abort(reason),
        expiryGraceMs: 0,
        intervalMs: CHECK_INTERVAL_MS,
      });
      const ended = generateReply(
        deps,
        toMake,
        AbortSignal.any([stop.signal, ending]),
      ).finally(() => {
        stopChecks();
        running.delete(toMake.messageId);
      });
      running.set(toMake.messageId, { conversationId: toMake.conversationId, stop, ended });
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

/**
 * While the user's permissions are unknown, the reply continues, because it has limits of its own.
 */
async function refuseLostRights(check: CheckRights, toMake: ReplyToMake): Promise<void> {
  try {
    await check(toMake);
  } catch (error) {
    if (error instanceof Forbidden) throw error;
  }
}
