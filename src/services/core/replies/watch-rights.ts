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
): {
  /** To be called after a reply has begun or ended. */
  adjust(): void;
} {
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  const check = async () => {
    isChecking = true;
    const replies = [...running.values()];
    const refusals = await checkRights(replies.map(({ toMake }) => toMake));
    for (const [at, refusal] of refusals.entries())
      if (refusal) replies[at]?.stop.abort(refusal);
    isChecking = false;
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
