import { Unavailable } from "../../platform/http/errors.ts";

interface Limits {
  maxRunning: number;
  maxWaiting: number;
  maxWaitMs: number;
}

/**
 * Limits the calls to a server that run at once. Further calls wait, and calls beyond `maxWaiting`
 * or `maxWaitMs` are refused. An aborted call leaves the queue.
 */
export function limitCalls(server: string, { maxRunning, maxWaiting, maxWaitMs }: Limits) {
  const queue = new Set<() => void>();
  let free = maxRunning;
  const busy = () =>
    new Unavailable(
      "tool_server_busy",
      `"${server}" has too many calls at once. Try again in a moment.`,
      1_000,
      { params: { server } },
    );

  const waitForTurn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const settle = (act: () => void) => {
        queue.delete(begin);
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        act();
      };
      const begin = () => settle(resolve);
      const abort = () => settle(() => reject(signal.reason));
      const timer = setTimeout(() => settle(() => reject(busy())), maxWaitMs);
      signal.addEventListener("abort", abort);
      queue.add(begin);
    });

  /** @throws Unavailable `tool_server_busy`. */
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else if (queue.size < maxWaiting) await waitForTurn(signal);
    else throw busy();
    try {
      return await work();
    } finally {
      const [next] = queue;
      if (next) next();
      else free += 1;
    }
  };
}
