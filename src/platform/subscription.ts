/** Whoever reads along waits here for what others tell. */
export interface Subscription extends AsyncDisposable {
  /**
   * Resolves when something was told since the last time it resolved, when the time is over, or
   * when the reader leaves.
   */
  next(): Promise<void>;
}

interface Reader {
  /** A reader looks by itself this often: what is told may be lost. */
  everyMs: number;
  signal: AbortSignal;
}

/** @param subscribe how one hears of it: `tell` is to be called each time. */
export async function openSubscription(
  subscribe: (tell: () => void) => Promise<AsyncDisposable>,
  { everyMs, signal }: Reader,
): Promise<Subscription> {
  let told = false;
  let wake = () => {};
  const tell = () => {
    told = true;
    wake();
  };
  const subscription = await subscribe(tell);
  signal.addEventListener("abort", tell, { once: true });
  return {
    async next() {
      if (!told && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, everyMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      told = false;
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", tell);
      wake();
      await subscription[Symbol.asyncDispose]();
    },
  };
}
