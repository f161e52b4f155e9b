import { type RefObject, useLayoutEffect } from "react";

/** Keeps what is typed while a field is still loading, for the field to begin with. */
export function TypedAhead({ typed }: { typed: RefObject<string> }) {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || [...key].length !== 1) return;
      event.preventDefault();
      event.stopPropagation();
      typed.current += key;
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [typed]);
  return null;
}

/**
 * Gives a field what was typed while it was loading. It is taken when the field is there: React
 * may hold back what is rendered already, and letters still come.
 */
export function useTypedAhead(
  typed: RefObject<string>,
  take: (text: string) => void,
): void {
  useLayoutEffect(() => {
    if (typed.current !== "") take(typed.current);
    typed.current = "";
  }, [typed]);
}
