const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 10_000;

/**
 * A pause before the next attempt, longer each time. It ends early when the network comes back or
 * the page becomes visible, as after sleep.
 */
export async function untilReachable(attempt: number, signal: AbortSignal): Promise<void> {
  const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  const { promise, resolve } = Promise.withResolvers<void>();
  const onVisible = () => document.visibilityState === "visible" && resolve();
  const done = () => resolve();
  const timer = setTimeout(done, pauseMs);
  window.addEventListener("online", done);
  document.addEventListener("visibilitychange", onVisible);
  signal.addEventListener("abort", done);
  await promise;
  clearTimeout(timer);
  window.removeEventListener("online", done);
  document.removeEventListener("visibilitychange", onVisible);
  signal.removeEventListener("abort", done);
}
