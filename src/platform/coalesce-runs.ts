/**
 * Runs `work` once at a time. Callers during a run share one further run, which sees everything
 * that changed before they called. A failed run rejects only for its own callers.
 */
export function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
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
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
