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
  /** Refuses those who wait, with this error. */
  refuseWaiting(error: ApiError): void;
  state(): { busy: number; waiting: number };
}

interface Waiting {
  go(): void;
  refuse(error: ApiError): void;
}

/** At most `size` callers have a place, and `maxWaiting` wait for one. */
export function createTurns({
  size,
  maxWaiting,
}: {
  size: number;
  maxWaiting: number;
}): Turns {
  const waiting: Waiting[] = [];
  let busy = 0;

  function wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(cancelled());
      };
      const stopListening = () => signal?.removeEventListener("abort", leave);
      const one: Waiting = {
        go() {
          stopListening();
          resolve();
        },
        refuse(error) {
          stopListening();
          reject(error);
        },
      };
      if (signal?.aborted) return reject(cancelled());
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(one);
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
      if (next) next.go();
      else busy -= 1;
    },
    refuseWaiting(error) {
      for (const { refuse } of waiting.splice(0)) refuse(error);
    },
    state: () => ({ busy, waiting: waiting.length }),
  };
}

function cancelled(): ApiError {
  const message = "The request for this file was cancelled.";
  return new ApiError(499, "request_cancelled", message);
}

function tooManyWait(): Unavailable {
  const message = "Too many files wait to be read. Try again in a moment.";
  return new Unavailable("parser_busy", message, 10_000);
}
