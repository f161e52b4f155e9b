import { coalesce } from "./single-flight.ts";

/** A copy that is read again after each pause, until it is closed. */
export interface FreshCopy {
  /** Resolves when an update that began after the call has ended. */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * Calls `update` again and again, never twice at once.
 * @param update handles its own errors
 * @param pauseMs from the end of an update to the next one
 */
export function keepFresh(update: () => Promise<void>, pauseMs: () => number): FreshCopy {
  const refresh = coalesce(update);
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const schedule = () => {
    timer = setTimeout(
      () => void refresh().finally(() => isClosed || schedule()),
      pauseMs(),
    );
    timer.unref();
  };
  schedule();
  return {
    refresh,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
