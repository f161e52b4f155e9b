/**
 * Shares running work between callers with the same key. A caller's signal ends only the caller's
 * wait; the work continues.
 */
export function createShare() {
  const running = new Map<string, Promise<unknown>>();
  return async <T>(
    key: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    // all work with one key has the same type
    let shared = running.get(key) as Promise<T> | undefined;
    if (!shared) {
      shared = work().finally(() => running.delete(key));
      running.set(key, shared);
    }
    return raceWithAbort(shared, signal);
  };
}

async function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
