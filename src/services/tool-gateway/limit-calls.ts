import { Unavailable } from "../../platform/http/errors.ts";

interface Limits {
  running: number;
  waiting: number;
  longestWaitMs: number;
}

/**
 * Lets `running` calls through at once and `waiting` wait in line for `longestWaitMs`; more are
 * refused. Who leaves gives its place up.
 */
export function limitCalls(server: string, { running, waiting, longestWaitMs }: Limits) {
  const line = new Set<() => void>();
  let free = running;
  const busy = () =>
    new Unavailable(
      "tool_server_busy",
      `"${server}" has too many calls at once. Try again in a moment.`,
      1_000,
    );

  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const stop = (act: () => void) => {
        line.delete(mine);
        clearTimeout(timer);
        signal.removeEventListener("abort", left);
        act();
      };
      const mine = () => stop(resolve);
      const left = () => stop(() => reject(signal.reason));
      const timer = setTimeout(() => stop(() => reject(busy())), longestWaitMs);
      signal.addEventListener("abort", left);
      line.add(mine);
    });

  /** @throws Unavailable `tool_server_busy`. */
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else if (line.size < waiting) await turn(signal);
    else throw busy();
    try {
      return await work();
    } finally {
      const [next] = line;
      if (next) next();
      else free += 1;
    }
  };
}
