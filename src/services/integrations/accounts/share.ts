/**
 * Lets work that is under way be shared by whoever asks for it meanwhile; each leaves with its own
 * signal, and the work goes on.
 */
export function createShare() {
  const running = new Map<string, Promise<unknown>>();
  return async <T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    // work of one key has one type: each caller names its own
    let shared = running.get(key) as Promise<T> | undefined;
    if (!shared) {
      shared = work().finally(() => running.delete(key));
      running.set(key, shared);
    }
    return until(shared, signal);
  };
}

async function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: () => void = () => {};
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
