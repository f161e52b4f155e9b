/** Concurrent calls share one run of the work, and a later call starts another one. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/** All calls share one run of the work, whose result is kept. A failure is not: work runs again. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let kept: Promise<Result> | undefined;
  return () => {
    if (kept) return kept;
    const begun = work();
    kept = begun;
    begun.catch(() => (kept = undefined));
    return begun;
  };
}

/**
 * Shares running work between callers with the same key. A caller's signal ends only the caller's
 * wait; the work continues.
 */
export function singleFlightByKey() {
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

/**
 * Runs `work` once at a time. Callers during a run share one further run, which sees everything
 * that changed before they called. A failed run rejects only for its own callers.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () => {
    running = work().finally(() => (running = undefined));
    return running;
  };
  return () => {
    if (next) return next;
    if (!running) return start();
    next = running
      .catch(() => {}) // its own callers have the failure
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
