import { useEffect } from "react";

const FALLBACK_DELAY_MS = 500;

/** Runs something once, when the browser has nothing else to do. */
export function useWhenIdle(run: () => unknown): void {
  useEffect(() => {
    const later =
      globalThis.requestIdleCallback ??
      ((callback: () => void) => setTimeout(callback, FALLBACK_DELAY_MS));
    later(() => void run());
    // once: what is loaded stays loaded
  }, []);
}
