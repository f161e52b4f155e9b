import type { Logger } from "../../../platform/telemetry/log.ts";
import type { CheckRights } from "./check-rights.ts";
import type { ReplyToMake } from "./reply-to-make.ts";

/** Most replies end sooner, so few are checked more than once. */
const CHECK_INTERVAL_MS = 5_000;

interface Running {
  toMake: Pick<ReplyToMake, "userId" | "plan">;
  stop: AbortController;
}

/**
 * Stops replies whose users lose the right to them, with the reason. All that run are checked
 * together, so that their users are asked for once.
 */
export function watchRights(
  checkRights: CheckRights,
  running: ReadonlyMap<string, Running>,
  log: Pick<Logger, "warn">,
): {
  /** To be called after a reply has begun or ended. */
  adjust(): void;
} {
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  const check = async () => {
    isChecking = true;
    try {
      const replies = [...running.values()];
      const refusals = await checkRights(replies.map(({ toMake }) => toMake));
      for (const [at, refusal] of refusals.entries())
        if (refusal) replies[at]?.stop.abort(refusal);
    } catch (error) {
      // the replies continue: they have limits of their own
      log.warn({ err: error }, "whether replies may continue could not be checked");
    } finally {
      isChecking = false;
    }
  };
  return {
    adjust() {
      if (running.size === 0) {
        clearInterval(timer);
        timer = undefined;
      } else if (!timer) {
        timer = setInterval(() => void (isChecking || check()), CHECK_INTERVAL_MS);
        timer.unref();
      }
    },
  };
}
