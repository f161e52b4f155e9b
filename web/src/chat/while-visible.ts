/** A tab that is hidden for long closes its connection, because browsers limit them by server. */
const MAX_HIDDEN_MS = 10_000;

/**
 * Runs with a signal that aborts when the outer one does, or when the page is hidden for a while.
 * @returns whether the page was hidden.
 */
export async function whileVisible(
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const hidden = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden")
      timer = setTimeout(() => hidden.abort(), MAX_HIDDEN_MS);
  };
  watch();
  document.addEventListener("visibilitychange", watch);
  try {
    await run(AbortSignal.any([outer, hidden.signal]));
  } catch (error) {
    if (!hidden.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", watch);
  }
  return hidden.signal.aborted;
}

/** Waits until the page is shown, or the signal aborts. */
export async function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible" || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => document.visibilityState === "visible" && resolve();
  const stop = () => resolve();
  document.addEventListener("visibilitychange", done);
  signal.addEventListener("abort", stop);
  await promise;
  document.removeEventListener("visibilitychange", done);
  signal.removeEventListener("abort", stop);
}
