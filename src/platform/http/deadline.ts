/** A signal that aborts with the caller's, or when the time is over. Whoever made it stops it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** It was the time. */
  readonly late: boolean;
  /** The time stands still, until `restart` gives all of it again. */
  pause(): void;
  restart(): void;
  stop(): void;
}

/** `AbortSignal.any` and `AbortSignal.timeout` do the same at many times the cost, and the timer outlives the work. */
export function deadline(signal: AbortSignal | undefined, timeoutMs: number): Deadline {
  const controller = new AbortController();
  let late = false;
  let paused = false;
  const timer = setTimeout(() => {
    if (paused || controller.signal.aborted) return;
    late = true;
    controller.abort();
  }, timeoutMs);
  const forward = () => controller.abort(signal?.reason);
  if (signal?.aborted) forward();
  else signal?.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    get late() {
      return late;
    },
    pause() {
      paused = true;
    },
    restart() {
      if (!paused) return;
      paused = false;
      timer.refresh();
    },
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", forward);
    },
  };
}
