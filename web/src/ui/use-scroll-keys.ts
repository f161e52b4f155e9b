import { type RefObject, useEffect } from "react";

const LINE_PX = 40;
/** Of what is seen: a line of it stays in sight. */
const PAGE_SHARE = 0.875;

/**
 * Lets the keys scroll a box that fills the window, as they scroll a document: browsers do so only
 * once something in it has the focus, and then the nearest box that scrolls.
 */
export function useScrollKeys(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { current } = box;
      if (!current || event.defaultPrevented || !isFree(event)) return;
      const top = targetOf(event, current);
      if (top === undefined) return;
      event.preventDefault();
      current.scrollTo({ top });
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [box]);
}

/** Whether nothing else takes the key: nothing has the focus, or the link that led here. */
function isFree({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return false;
  if (!(target instanceof Element)) return false;
  return target.matches("body, main, a[data-status=active], a[aria-current]");
}

function targetOf({ key, shiftKey }: KeyboardEvent, box: HTMLElement): number | undefined {
  const { scrollTop, scrollHeight, clientHeight } = box;
  const page = clientHeight * PAGE_SHARE;
  switch (key) {
    case "ArrowDown":
      return scrollTop + LINE_PX;
    case "ArrowUp":
      return scrollTop - LINE_PX;
    case "PageDown":
      return scrollTop + page;
    case "PageUp":
      return scrollTop - page;
    case " ":
      return scrollTop + (shiftKey ? -page : page);
    case "Home":
      return 0;
    case "End":
      return scrollHeight;
    default:
      return undefined;
  }
}
