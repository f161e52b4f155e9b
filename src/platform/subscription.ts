/** Wakes a reader when something was published. */
export interface Subscription extends AsyncDisposable {
  /**
   * Resolves after a publication since the last call resolved, after the interval, or when the
   * reader's signal aborts.
   */
  next(): Promise<void>;
}

interface Options {
  /** The reader polls at this interval as well: a publication may be lost. */
  everyMs: number;
  signal: AbortSignal;
}

/** @param subscribe registers a callback that it calls at each publication. */
export async function openSubscription(
  subscribe: (notify: () => void) => Promise<AsyncDisposable>,
  { everyMs, signal }: Options,
): Promise<Subscription> {
  let isPublished = false;
  let wake = () => {};
  const notify = () => {
    isPublished = true;
    wake();
  };
  const subscription = await subscribe(notify);
  signal.addEventListener("abort", notify, { once: true });
  // one for all waits: a reader of a reply waits for each word
  const poll = setInterval(notify, everyMs);
  return {
    async next() {
      if (!isPublished && !signal.aborted) {
        // the interval is that of silence, after which readers look whether anything is wrong
        poll.refresh();
        await new Promise<void>((resolve) => (wake = resolve));
      }
      isPublished = false;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(poll);
      signal.removeEventListener("abort", notify);
      wake();
      await subscription[Symbol.asyncDispose]();
    },
  };
}
