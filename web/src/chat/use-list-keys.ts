import { useEffect } from "react";
import { isComposing } from "../ui/is-composing.ts";

/** Keys that act on a list while the focus stays in the text. */
export function useListKeys(handlers: Record<string, () => void>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const handler = handlers[event.key];
      const isInDialog = event.target instanceof Element && event.target.closest("dialog");
      if (!handler || event.shiftKey || isComposing(event) || isInDialog) return;
      event.preventDefault();
      event.stopPropagation();
      handler();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  });
}
