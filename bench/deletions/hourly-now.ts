import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

/**
 * Loaded into a server before its program: jobs that run each hour run at once when the process
 * receives SIGUSR2.
 */
const HOUR_MS = 3_600_000;
const sleep = timers.setTimeout;

async function hurried<Value>(
  ms?: number,
  value?: Value,
  options?: { signal?: AbortSignal; ref?: boolean },
): Promise<Value> {
  if (ms !== HOUR_MS) return sleep(ms, value, options);
  const given = options?.signal ? { signal: options.signal } : {};
  await Promise.race([sleep(ms, value, options), once(process, "SIGUSR2", given)]);
  return value as Value;
}

process.setMaxListeners(100);
process.on("SIGUSR2", () => {});
timers.setTimeout = hurried as typeof timers.setTimeout;
syncBuiltinESMExports();
