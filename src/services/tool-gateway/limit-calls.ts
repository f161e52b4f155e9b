import { Unavailable } from "../../platform/http/errors.ts";

/** Lets `running` calls through at once and `waiting` wait in line; more are refused. */
export function limitCalls(server: string, { running, waiting }: { running: number; waiting: number }) {
  const line: (() => void)[] = [];
  let free = running;
  const leave = () => {
    const next = line.shift();
    if (next) next();
    else free += 1;
  };
  /** @throws Unavailable `tool_server_busy`. */
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else if (line.length < waiting) await new Promise<void>((turn) => line.push(turn));
    else throw new Unavailable("tool_server_busy", `"${server}" has too many calls at once. Try again in a moment.`, 1_000);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}
