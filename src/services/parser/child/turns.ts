import { ApiError, Unavailable } from "../../../platform/http/errors.ts";

/** A bounded number of places for tasks, given in the order in which they were asked for. */
export interface Turns {
  /**
   * Resolves when the caller has a place, which it must give back.
   * @throws Unavailable `parser_busy` when too many wait; ApiError 499 `request_cancelled` when the
   * signal aborts while the caller waits.
   */
  take(signal: AbortSignal | undefined): Promise<void>;
  /** Gives the place to the caller that has waited longest, if any. */
  giveBack(): void;
  state(): { busy: number; waiting: number };
}

/** At most `size` callers have a place, and `maxWaiting` wait for one. */
export function createTurns({
  size,
  maxWaiting,
}: {
  size: number;
  maxWaiting: number;
}): Turns {
  const waiting: (() => void)[] = [];
  let busy = 0;

  function wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(cancelled());
      };
      const go = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      if (signal?.aborted) return reject(cancelled());
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(go);
    });
  }

  return {
    async take(signal) {
      if (busy < size) {
        busy += 1;
        return;
      }
      if (waiting.length >= maxWaiting) throw tooManyWait();
      await wait(signal);
    },
    giveBack() {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    },
    state: () => ({ busy, waiting: waiting.length }),
  };
}

function cancelled(): ApiError {
  const message = "Nobody waits for this file any more.";
  return new ApiError(499, "request_cancelled", message);
}

function tooManyWait(): Unavailable {
  const message = "Too many files wait to be read. Try again in a moment.";
  return new Unavailable("parser_busy", message, 10_000);
}
